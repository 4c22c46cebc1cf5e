/** What documents say is there: none of them puts anything off. */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "vitest"

const PROMISES =
  /\blater\b|\bnot yet\b|\bto be (?:built|done|written|decided)\b|\bcoming soon\b|\bin (?:the )?future\b|\bTODO\b|\bFIXME\b|\bTBD\b|\bunder construction\b/gi

/** Where such a word speaks of what happens to whoever reads, and not of what is still to be made. */
const HARMLESS = [
  /\bPostgreSQL 15 or later\b/g,
  /\bNode 20\.19 or later\b/g,
  /\b(?:a|the|what a) later (?:build|one|edition)\b/gi,
  /\bthe later build's?\b/gi,
  /\beconomy of now and later\b/g,
  /\bsession that is read later\b/g,
  /\bwhen `doctor --restored` runs again later\b/g,
  /\bten minutes later\b/g,
  /maximumSeconds\} seconds later\b/g,
  /\b(?:something|nothing else) is to be done\b/gi,
  /\bmay succeed later\b/g,
  /\btakes payments until later than\b/g,
  /\bwhat changes in it later ends its use\b/g,
  /\bnot yet execution\b/g,
  /\bnot yet authenticated\b/g
]

const documents = async (): Promise<ReadonlyArray<string>> => {
  const within = async (directory: string, ending: string) =>
    (await readdir(directory, { recursive: true }))
      .filter(name => name.endsWith(ending))
      .map(name => join(directory, name))
  const found = await Promise.all([
    within("docs", ".md"),
    within("docs", ".ts"),
    within("examples", ".md"),
    within(join("src", "http", "pages"), ".ts"),
    within(join("src", "values"), "Problems.ts")
  ])
  return ["README.md", "CHANGELOG.md", ...found.flat()]
}

/** With a few words around each. */
const promisesIn = (text: string): ReadonlyArray<string> => {
  const plain = HARMLESS.reduce((left, harmless) => left.replace(harmless, ""), text.replace(/\s+/g, " "))
  return [...plain.matchAll(PROMISES)].map(({ index }) => plain.slice(Math.max(0, index - 60), index + 60))
}

describe("documents", () => {
  it("put nothing off", async () => {
    const found: Record<string, ReadonlyArray<string>> = {}
    const files = await documents()
    assert.isAbove(files.length, 60)
    for (const file of files) {
      const promises = promisesIn(await readFile(file, "utf8"))
      if (promises.length > 0) found[file] = promises
    }
    assert.deepStrictEqual(found, {})
  })

  it.each([
    "Sessions follow later.",
    "This is not yet supported.",
    "A page that is to be built.",
    "TODO: say more",
    "It comes in a later version."
  ])("would: %s", text => assert.lengthOf(promisesIn(text), 1))
})

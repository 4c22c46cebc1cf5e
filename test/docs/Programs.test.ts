import { execFile } from "node:child_process"
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { transform } from "esbuild"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { packageRoot } from "../../src/settings/PackageRoot.ts"
import { complaints, type PackedClient, packedClient } from "../client/support/PackedClient.ts"
import { type Sandbox, startSandbox } from "../support/Sandbox.ts"
import { newBotFile } from "./support/BotFile.ts"
import { fencesIn, shows } from "./support/Journey.ts"

const DIRECTORY = "docs/guides/journeys"
const MAXIMUM_BOT_LINES = 15

/** Beside the programs of other guides too. */
const SHARED = ["owner.ts", "tipping.ts"]

const run = promisify(execFile)

interface Program {
  readonly guide: string
  readonly file: string
  readonly text: string
  /** What the guide shows after it. */
  readonly printed: string
}

const programsIn = async (guide: string): Promise<ReadonlyArray<Program>> => {
  const fences = fencesIn(await readFile(join(DIRECTORY, guide), "utf8"))
  return fences.flatMap(({ language, file = "", text }, at) => {
    const after = fences[at + 1]
    const printed = after?.language === "text" ? after.text : ""
    return language === "ts" ? [{ guide, file, text, printed }] : []
  })
}

const guides = (await readdir(DIRECTORY)).sort()
const programs = (await Promise.all(guides.map(programsIn))).flat()
const ran = programs.filter(({ printed }) => printed !== "")

const folderOf = ({ folder }: PackedClient, guide: string): string => join(folder, guide.replace(/\.md$/, ""))

let packed: PackedClient
let sandbox: Sandbox

beforeAll(async () => {
  const parts = await Promise.all([
    packedClient(),
    startSandbox({ confirmations: 1, sponsored: true, bundled: true })
  ])
  packed = parts[0]
  sandbox = parts[1]
  for (const name of ["viem", "@types"])
    await symlink(join(packageRoot, "node_modules", name), join(packed.folder, "node_modules", name))
  const shared = programs.filter(({ file }) => SHARED.includes(file))
  for (const guide of guides) {
    const folder = folderOf(packed, guide)
    await mkdir(folder)
    for (const { file, text } of shared) await writeFile(join(folder, file), text)
    for (const { language, file, text } of fencesIn(await readFile(join(DIRECTORY, guide), "utf8")))
      if (file !== undefined && (language === "json" || language === "ts"))
        await writeFile(join(folder, file), text)
  }
  await writeFile(
    join(folderOf(packed, "8-write-a-program.md"), "bot.json"),
    JSON.stringify(await newBotFile(sandbox))
  )
}, 180_000)

afterAll(async () => {
  await sandbox.stop()
  await packed.remove()
})

/** As Node does that takes types away itself. */
const runnable = async (folder: string): Promise<void> => {
  for (const name of (await readdir(folder)).filter(each => each.endsWith(".ts"))) {
    const { code } = await transform(await readFile(join(folder, name), "utf8"), {
      loader: "ts",
      format: "esm",
      target: "node20",
      supported: { "import-attributes": true }
    })
    await writeFile(
      join(folder, name.replace(/\.ts$/, ".mjs")),
      SHARED.reduce(
        (text, file) => text.replaceAll(`"./${file}"`, `"./${file.replace(".ts", ".mjs")}"`),
        code
      )
    )
  }
}

describe("the programs of the guides", () => {
  it("are in each guide, and compile as they are printed against the package", async () => {
    assert.sameMembers([...new Set(ran.map(({ guide }) => guide))], guides)
    const files = programs.map(({ guide, file }) => join(guide.replace(/\.md$/, ""), file))
    assert.strictEqual(await complaints(packed, files, ["node"]), "")
  }, 60_000)

  it("have a bot of a few lines", () => {
    const bot = programs.find(({ file }) => file === "bot.ts")?.text.split("\n") ?? []
    assert.isAbove(bot.length, 8)
    assert.isAtMost(bot.length, MAXIMUM_BOT_LINES)
  })

  it.each(ran)(
    "$file of $guide prints what the guide shows",
    async ({ guide, file, printed }) => {
      const folder = folderOf(packed, guide)
      await runnable(folder)
      const env = {
        PATH: process.env.PATH ?? "",
        FUNDING_URL: sandbox.service.url,
        FUNDING_RPC: sandbox.chain.url
      }
      const { stdout } = await run(process.execPath, [file.replace(/\.ts$/, ".mjs")], { cwd: folder, env })
      shows(stdout, printed)
    },
    120_000
  )
})

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { referenceBundles } from "../../scripts/references/Bundles.ts"
import * as client from "../../src/client/main.ts"
import { Feature } from "../../src/operations/development/plan_integration/Declaration.ts"
import { bundleFiles, bundleIdOf, readBundles } from "../../src/references/Bundles.ts"
import { indexDocuments, searchIndex } from "../../src/references/Search.ts"

const DIRECTORY = join("schema", "references")
const bundles = await Effect.runPromise(readBundles(DIRECTORY))
const { documents } = bundles.documents
const { references } = bundles.samples
const { features } = bundles.integration

let copy: string

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "references-"))
})

afterAll(() => rm(copy, { recursive: true }))

describe("the committed bundles", () => {
  it("are read once for all that run in one process", async () => {
    assert.strictEqual((await Effect.runPromise(readBundles(DIRECTORY))).documents, bundles.documents)
  })

  it("are what npm run references writes", async () => {
    for (const [file, text] of await referenceBundles())
      assert.isTrue(
        text === readFileSync(join(DIRECTORY, file), "utf8"),
        `${file} is old: npm run references`
      )
  })

  it("have every category, contract, entity and operation that they should", () => {
    const ids = new Set(documents.map(({ id }) => id))
    for (const id of [
      "contracts/JBController",
      "contracts/REVLoans",
      "indexer/project",
      "indexer/_sucker",
      "service/operations/prepare_pay",
      "service/problem-codes",
      "service/readme/operating",
      "service/guides/a-wallet-of-two-owners-pays",
      "skills/publish-an-intent",
      "sdk/client"
    ])
      assert.isTrue(ids.has(id), id)
    const ofCategory = (category: string) => documents.filter(each => each.category === category).length
    assert.strictEqual(ofCategory("indexer"), 55)
    assert.strictEqual(documents.filter(({ id }) => id.startsWith("service/operations/")).length, 52)
    assert.isAtLeast(ofCategory("contracts"), 60)
    const guides = documents.filter(({ id }) => id.startsWith("service/guides/"))
    assert.lengthOf(guides, readdirSync("docs/guides/journeys").length)
  })

  it("lead who searches to the guide of it", () => {
    const index = indexDocuments(documents)
    for (const [query, guide] of [
      ["wallet of two owners", "a-wallet-of-two-owners-pays"],
      ["somebody else pays the gas", "somebody-else-pays-the-gas"]
    ] as const) {
      const { results } = searchIndex(index, { query, category: "service", limit: 3 })
      assert.include(
        results.map(({ metadata }) => metadata.id),
        `service/guides/${guide}`
      )
    }
  })

  it("are made from files that are here, and of our own alone", () => {
    for (const { source } of [...documents, ...references]) {
      assert.isTrue(existsSync(source.path), source.path)
      assert.strictEqual(source.repository, "signed-request-service")
    }
  })
})

describe("the integration features", () => {
  it("are those of the input, each after what it depends on can be", () => {
    assert.sameMembers(
      features.map(({ id }) => id),
      [...Feature.literals]
    )
    const ids = new Set(features.map(({ id }) => id))
    for (const { dependsOn } of features) for (const id of dependsOn) assert.isTrue(ids.has(id), id)
  })

  it("name documents, samples and symbols that exist", () => {
    const known = new Set(documents.map(({ id }) => id))
    for (const { id, actions, sourceIds, testIds } of features) {
      for (const source of [...sourceIds, ...testIds]) assert.isTrue(known.has(source), `${id} ${source}`)
      assert.deepStrictEqual([...new Set(actions.map(({ phase }) => phase))], ["read", "build", "prove"])
      for (const { referenceId, symbol, importFrom } of actions.flatMap(({ bindings }) => bindings)) {
        const sample = references.find(each => each.id === referenceId)
        assert.isDefined(sample, `${id} ${referenceId}`)
        if (importFrom === undefined) assert.include(sample?.exports ?? [], symbol, id)
        else {
          assert.include(sample?.imports ?? [], importFrom)
          assert.include(sample?.text ?? "", symbol)
          assert.property(client, symbol)
        }
      }
    }
  })

  it("have a check each", () => {
    const checks = documents.find(({ id }) => id === "skills/acceptance-checks")?.text ?? ""
    for (const { id } of features) assert.include(checks, `\n- ${id}: `)
  })
})

const encoded = (value: object) => JSON.stringify(value)

const refusedWith = async (file: string, text: string) => {
  await cp(DIRECTORY, copy, { recursive: true })
  await writeFile(join(copy, file), text)
  const failure = await Effect.runPromise(Effect.flip(readBundles(copy)))
  assert.strictEqual(failure._tag, "CATALOG_INTEGRITY")
  assert.deepStrictEqual(failure.context, { file })
  return failure.detail ?? ""
}

describe("a bundle is refused", () => {
  const read = (file: string) => readFile(join(DIRECTORY, file), "utf8")

  it("when a letter of it was changed", async () => {
    for (const file of Object.values(bundleFiles)) {
      const text = await read(file)
      assert.include(await refusedWith(file, text.replace("the ", "tha ")), "does not match its id")
    }
  })

  it("when it is missing, no JSON, too large or has another form", async () => {
    const file = bundleFiles.documents
    await cp(DIRECTORY, copy, { recursive: true })
    await rm(join(copy, file))
    assert.strictEqual((await Effect.runPromise(Effect.flip(readBundles(copy))))._tag, "CATALOG_INTEGRITY")
    assert.include(await refusedWith(file, "{"), "declared form")
    assert.include(await refusedWith(file, "[]"), "declared form")
    assert.include(await refusedWith(file, " ".repeat(16 * 1_048_576 + 1)), "too large")
  })

  it("when its items are out of order, repeated, of another length or too many", async () => {
    const [first = assert.fail(), second = assert.fail()] = documents
    const longest = "x".repeat(750_000)
    const forms = [
      [second, first],
      [first, first],
      [{ ...first, characters: first.characters + 1 }],
      [{ ...first, text: `${longest}x`, characters: longest.length + 1 }],
      Array.from({ length: 2_001 }, (_, at) => ({
        ...first,
        id: String(at).padStart(5, "0"),
        text: "",
        characters: 0
      }))
    ]
    for (const items of forms) {
      const content = { documents: items }
      const text = encoded({ bundleId: bundleIdOf(content), ...content })
      assert.include(await refusedWith(bundleFiles.documents, text), "declared form")
    }
    const content = { documents: [{ ...first, text: longest, characters: longest.length }] }
    await writeFile(join(copy, bundleFiles.documents), encoded({ bundleId: bundleIdOf(content), ...content }))
    assert.lengthOf((await Effect.runPromise(readBundles(copy))).documents.documents, 1)
  })
})

it("every feature's literal is known to the schema of the input", () => {
  assert.lengthOf(Feature.literals, 15)
  assert.isTrue(features.every(({ id }) => Schema.is(Feature)(id)))
})

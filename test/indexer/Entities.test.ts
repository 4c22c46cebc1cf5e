import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { buildSchema, isInputObjectType, isObjectType } from "graphql"
import { assert, beforeAll, describe, it } from "vitest"
import { declarationsFile } from "../../scripts/inventory/Declarations.ts"
import { type Entity, entities } from "../../src/indexer/Entities.ts"
import { loadSchema } from "../../src/indexer/LoadSchema.ts"

const PINNED = "schema/indexer"
const schema = buildSchema(await readFile(join(PINNED, "schema.graphql"), "utf8"))
const pinnedText = await readFile(join(PINNED, "entities.json"), "utf8")
const pinned = JSON.parse(pinnedText)

const object = (name: string) => {
  const type = schema.getType(name)
  if (!isObjectType(type)) throw new Error(name)
  return type.getFields()
}

const graphqlType = (entity: Entity, name: string): string =>
  (entity.facts.fields[name] ?? "").replace("Hex", "String")

describe("the declared entities", () => {
  it("are the fifty-five that are pinned", () => {
    assert.lengthOf(entities, 55)
    assert.deepStrictEqual(
      Object.fromEntries(entities.map(({ name, facts }) => [name, facts])),
      pinned.entities
    )
  })

  for (const entity of entities)
    it(`${entity.name} is what the schema says`, () => {
      const fields = object(entity.one)
      const { renamed = {}, relations = {}, refused = {}, lists = {} } = entity.facts
      const own = [
        ...Object.keys(entity.facts.fields),
        ...Object.keys({ ...relations, ...refused, ...lists })
      ]
      assert.sameMembers(
        own.map(name => renamed[name] ?? name),
        Object.keys(fields)
      )
      for (const name of Object.keys(entity.facts.fields))
        assert.strictEqual(graphqlType(entity, name), String(fields[renamed[name] ?? name]?.type), name)
      for (const [name, target] of Object.entries(relations)) {
        const type = String(fields[renamed[name] ?? name]?.type)
        assert.strictEqual(entities.find(({ one }) => one === type)?.name, target)
      }
    })

  for (const entity of entities)
    it(`${entity.name} has every filter of the schema but those on the version`, () => {
      const type = schema.getType(entity.filter)
      if (!isInputObjectType(type)) throw new Error(entity.filter)
      const known = Object.keys(type.getFields()).filter(
        key => key !== "AND" && key !== "OR" && key !== "version" && !key.startsWith("version_")
      )
      assert.sameMembers(
        [...entity.filters.values()].map(({ source }) => source),
        known
      )
    })

  for (const entity of entities)
    it(`${entity.name} has the key of its root`, () => {
      const root = object("Query")[entity.one]
      assert.sameMembers(
        entity.key.map(name => entity.columns.get(name)?.source),
        root?.args.map(({ name }) => name) ?? []
      )
      assert.property(object("Query"), entity.many)
    })
})

describe("the pinned files", () => {
  it("give the declarations as they are generated", async () => {
    const { path, text } = declarationsFile(pinnedText)
    assert.strictEqual(await readFile(path, "utf8"), text)
  })

  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "pinned-"))
    return () => rm(directory, { recursive: true, force: true })
  })

  it("name their schema by its hash", async () => {
    assert.match(await Effect.runPromise(loadSchema(PINNED)), /^[0-9a-f]{64}$/)
  })

  for (const [file, change] of [
    ["schema.graphql", (text: string) => `${text} `],
    ["entities.json", (text: string) => text.replace("payEvent", "paidEvent")],
    ["manifest.json", (text: string) => text.replace(/("declarations": ")[0-9a-f]{4}/, "$10000")],
    ["manifest.json", () => "{}"]
  ] as const)
    it(`stop the start when ${file} is another`, async () => {
      await cp(PINNED, directory, { recursive: true })
      const path = join(directory, file)
      await writeFile(path, change(await readFile(path, "utf8")))
      const refusal = await Effect.runPromise(Effect.flip(loadSchema(directory)))
      assert.strictEqual(refusal._tag, "CATALOG_INTEGRITY")
      assert.deepStrictEqual(refusal.context, { file })
    })
})

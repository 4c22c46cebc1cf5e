import { afterAll, assert, describe, it } from "vitest"
import { type Entity, entities, identityOf } from "../../src/indexer/Entities.ts"
import type { RecordQuery, RowsQuery } from "../../src/indexer/Indexer.ts"
import type { Json, Row } from "../../src/indexer/IndexerSchemas.ts"
import { fillRandomly } from "../support/IndexedRows.ts"
import { startIndexedSource } from "../support/IndexedSource.ts"
import { startReader } from "./support/Reader.ts"

const ROWS = 28

const source = await startIndexedSource({ masked: false })
await fillRandomly(source, { seed: 7, count: ROWS })
const reader = await startReader({ testnet: source.url })

afterAll(async () => {
  await reader.stop()
  await source.stop()
})

const entityNamed = (name: string): Entity => {
  const found = entities.find(entity => entity.name === name)
  if (found === undefined) throw new Error(name)
  return found
}

const keyText = (entity: Entity, row: Row) => JSON.stringify(entity.key.map(name => row[name]))

/** Every row of a walk, and the count that each of its pages told. */
const walk = async (entity: Entity, query: Omit<RowsQuery, "network">) => {
  const rows: Array<Row> = []
  const counts = new Set<number>()
  let cursor: string | undefined
  do {
    const page = await reader.run(
      reader.indexer.list(entity.name, { network: "testnet", limit: 11, ...query, cursor })
    )
    rows.push(...page.items)
    counts.add(page.totalCount)
    assert.strictEqual(page.pageInfo.hasNextPage, page.nextCursor !== null)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return { rows, counts: [...counts] }
}

const stored = (entity: Entity, condition = "true") =>
  source.count(entity.one, `version = 6 AND (${condition})`)

const ordered = ({ columns }: Entity) =>
  [...columns.values()].filter(({ hidden, list, base }) => !hidden && !list && base !== "JSON")

const chunks = <A>(items: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  items.length === 0 ? [] : [items.slice(0, size), ...chunks(items.slice(size), size)]

const isRising = (values: ReadonlyArray<Json>): boolean =>
  values.every((value, at) => at === 0 || BigInt(String(values[at - 1])) <= BigInt(String(value)))

const keyPart = (entity: Entity, row: Row, name: string): Json => {
  if (identityOf(entity).includes(name)) return row[name] ?? null
  const related = row[name]
  return typeof related === "object" && related !== null && "address" in related ? related.address : null
}

/** A walk during which the last row of a page goes away, and comes back when the walk is over. */
const disturbed = async (entity: Entity, query: Omit<RowsQuery, "network">, after: number) => {
  const rows: Array<Row> = []
  let cursor: string | undefined
  let gone: ReadonlyArray<Row> = []
  for (let pages = 1; pages === 1 || cursor !== undefined; pages++) {
    const { items, nextCursor } = await reader.run(
      reader.indexer.list(entity.name, { network: "testnet", ...query, cursor })
    )
    rows.push(...items)
    cursor = nextCursor ?? undefined
    if (pages !== after) continue
    const taken = await source.query(`DELETE FROM ${source.table(entity.one)} WHERE id = $1 RETURNING *`, [
      items.at(-1)?.id
    ])
    gone = JSON.parse(JSON.stringify(taken))
  }
  assert.lengthOf(gone, 1)
  await source.insert(entity.one, gone)
  return rows
}

describe("a walk", () => {
  for (const orderBy of [undefined, { field: "amount", direction: "desc" }, { field: "feeFromProject" }])
    for (const limit of [1, 4])
      it(`by ${orderBy?.field ?? "key"}, ${limit} at a time, loses no other row when the last one goes away`, async () => {
        const payEvent = entityNamed("payEvent")
        const query = { orderBy, limit, fields: ["amount", "feeFromProject"] }
        const { rows } = await walk(payEvent, query)
        for (let after = 1; after * limit < rows.length; after++)
          assert.deepStrictEqual(await disturbed(payEvent, query, after), rows, `page ${after}`)
      })
})

describe("every entity", () => {
  for (const entity of entities)
    it(`${entity.name}: all pages are all rows, in every order`, { timeout: 120_000 }, async () => {
      const expected = await stored(entity)
      assert.isAbove(expected, 10)
      const { rows, counts } = await walk(entity, {})
      assert.deepStrictEqual([rows.length, counts], [expected, [expected]])
      assert.strictEqual(new Set(rows.map(row => keyText(entity, row))).size, expected)
      const [own] = ordered(entity).filter(({ nullable }) => !nullable)
      const nullable = ordered(entity).filter(column => column.nullable)
      for (const { name, base } of [...(own === undefined ? [] : [own]), ...nullable])
        for (const direction of ["asc", "desc"]) {
          const turned = await walk(entity, { orderBy: { field: name, direction }, fields: [name] })
          const told = `${name} ${direction}`
          assert.deepStrictEqual([turned.rows.length, turned.counts], [expected, [expected]], told)
          assert.strictEqual(new Set(turned.rows.map(row => keyText(entity, row))).size, expected, told)
          const values = turned.rows.map(row => row[name] ?? null)
          const present = values.filter(value => value !== null)
          assert.deepStrictEqual(values.slice(0, present.length), present, told)
          const inOrder = direction === "asc" ? present : present.toReversed()
          if (base === "Int" || base === "BigInt") assert.isTrue(isRising(inOrder), told)
        }
    })

  for (const entity of entities)
    it(`${entity.name}: each row is found by its key, and by a filter on it`, async () => {
      const { rows } = await walk(entity, { limit: 50 })
      for (const row of rows.slice(0, 5)) {
        const parts = entity.key.filter(name => name !== "version")
        const id = Object.fromEntries(parts.map(name => [name, keyPart(entity, row, name)]))
        const { item } = await reader.run(reader.indexer.record(entity.name, { network: "testnet", id }))
        assert.deepStrictEqual(item, row)
        const found = await walk(entity, { filters: id })
        assert.deepInclude(found.rows, row)
        assert.isTrue(found.rows.every(other => keyText(entity, other) === keyText(entity, row)))
      }
    })

  for (const entity of entities) {
    const relations = Object.keys(entity.facts.relations ?? {})
    if (relations.length > 0)
      it(`${entity.name}: what it relates to is of its chain, project and version`, async () => {
        for (const some of chunks(relations, 8)) {
          const fields = some.map(relation => `${relation}.version`)
          const { rows } = await walk(entity, { fields, limit: 50 })
          for (const row of rows)
            for (const relation of some) {
              const related = row[relation]
              if (typeof related !== "object" || related === null || !("version" in related)) continue
              assert.strictEqual(related.version, 6)
              if ("chainId" in related && "chainId" in row) assert.strictEqual(related.chainId, row.chainId)
              if ("projectId" in related && "projectId" in row)
                assert.strictEqual(related.projectId, row.projectId)
            }
        }
      })
  }

  it("gives what a scope limits it to, and nothing of the other version", async () => {
    const condition = '"chainId" = 84532 AND "projectId" = 2'
    const expected = await stored(entityNamed("payEvent"), condition)
    const { rows } = await walk(entityNamed("payEvent"), { chainId: 84532, projectId: "2" })
    assert.isAbove(expected, 0)
    assert.strictEqual(rows.length, expected)
    assert.isTrue(rows.every(row => row.chainId === 84532 && row.projectId === "2" && row.version === 6))
  })

  it("has no record of an older version, of another project or beyond what the source can hold", async () => {
    const [older] = await source.query(`SELECT id FROM ${source.table("payEvent")} WHERE version = 5 LIMIT 1`)
    const record = (query: Omit<RecordQuery, "network">, name = "payEvent") =>
      reader.run(reader.indexer.record(name, { network: "testnet", ...query }))
    assert.isString(older?.id)
    assert.isNull((await record({ id: String(older?.id) })).item)
    const [{ id = null, projectId } = { projectId: null }] = (await walk(entityNamed("payEvent"), {})).rows
    assert.isNotNull((await record({ id, projectId: String(projectId) })).item)
    assert.isNull((await record({ id, projectId: "999" })).item)
    const asked = source.requests.length
    const far = await record({ chainId: 84532, projectId: "9007199254740991" }, "project")
    assert.isNull(far.item)
    assert.strictEqual(source.requests.length, asked)
  })
})

import fc from "fast-check"
import { afterAll, assert, describe, it } from "vitest"
import { type Entity, entities, type Filter } from "../../src/indexer/Entities.ts"
import type { RowsQuery } from "../../src/indexer/Indexer.ts"
import type { Json, Row } from "../../src/indexer/IndexerSchemas.ts"
import { fillRandomly } from "../support/IndexedRows.ts"
import { startIndexedSource } from "../support/IndexedSource.ts"
import { meaning } from "./support/Meaning.ts"
import { startReader } from "./support/Reader.ts"

const ENTITIES = [
  "payEvent",
  "activityEvent",
  "suckerGroup",
  "decorateAvatarEvent",
  "permissionHolder",
  "nftTier"
]
const SHOWN_AT_MOST = 48

const entityNamed = (name: string): Entity => {
  const found = entities.find(entity => entity.name === name)
  if (found === undefined) throw new Error(name)
  return found
}

const fieldsOf = ({ columns }: Entity) =>
  [...columns.values()]
    .filter(({ hidden, base }) => !hidden && base !== "JSON")
    .map(({ name }) => name)
    .slice(0, SHOWN_AT_MOST)

const source = await startIndexedSource({ masked: false })
await fillRandomly(source, { seed: 11, count: 45 })
const reader = await startReader({ testnet: source.url })

const listed = async (entity: Entity, filters: Json | undefined) => {
  const query = { network: "testnet", fields: fieldsOf(entity), limit: 50, filters } as const
  const { items, totalCount } = await reader.run(reader.indexer.list(entity.name, query))
  assert.strictEqual(items.length, totalCount)
  return items
}

const stored = new Map<string, ReadonlyArray<Row>>()
for (const name of ENTITIES) stored.set(name, await listed(entityNamed(name), undefined))

afterAll(async () => {
  await reader.stop()
  await source.stop()
})

type Seeds = ReadonlyArray<number>

const pick = <A>(from: ReadonlyArray<A>, seed: number): A => {
  const found = from[seed % from.length]
  if (found === undefined) throw new Error("nothing to pick from")
  return found
}

const part = (text: string, [from = 0, to = 0]: Seeds): string => {
  const characters = [...text]
  const start = from % (characters.length + 1)
  return characters.slice(start, start + (to % 6)).join("")
}

const asText = (value: Json): string => (typeof value === "string" ? value : "")

/** An operand near what the rows have, so that filters neither match all nor nothing. */
const operandFor = ({ column, suffix }: Filter, rows: ReadonlyArray<Row>, seeds: Seeds): Json => {
  const [first = 0, second = 0, third = 0] = seeds
  const values = rows.flatMap(row => row[column.name] ?? [])
  const elements: ReadonlyArray<Json> = values.length > 0 ? values : column.base === "Int" ? [1] : ["1"]
  const typed = (value: Json): Json => (column.name === "projectId" ? Number(value) : value)
  if (column.list && (suffix === "" || suffix === "_not")) {
    const lists = rows
      .map(row => row[column.name] ?? null)
      .filter(value => Array.isArray(value) && value.length > 0)
    return lists.length > 0 ? pick(lists, first) : [typed(pick(elements, first))]
  }
  if (suffix === "_in" || suffix === "_not_in")
    return [first, second, third].slice(first % 4).map(seed => typed(pick(elements, seed)))
  if (suffix === "_has" || suffix === "_not_has") return typed(pick(elements, first))
  if (/contains|with/.test(suffix)) return part(asText(pick(elements, first)), [second, third])
  return first % 7 === 0 ? null : typed(pick(elements, first))
}

const seeds = fc.array(fc.nat(10_000), { minLength: 3, maxLength: 3 })

const membersOf = (entity: Entity) => {
  const shown = new Set(fieldsOf(entity))
  const keys = [...entity.filters].filter(([, { column }]) => shown.has(column.name))
  return fc
    .uniqueArray(fc.tuple(fc.nat(keys.length - 1), seeds), {
      minLength: 1,
      maxLength: 3,
      selector: ([key]) => key
    })
    .map(chosen =>
      Object.fromEntries(
        chosen.flatMap(([index, seed]): ReadonlyArray<readonly [string, Json]> => {
          const [key, filter] = pick(keys, index)
          return [[key, operandFor(filter, stored.get(entity.name) ?? [], seed)]]
        })
      )
    )
}

const treesOf = (entity: Entity): fc.Arbitrary<{ readonly [key: string]: Json }> => {
  const members = membersOf(entity)
  const group = (inner: fc.Arbitrary<{ readonly [key: string]: Json }>) =>
    fc
      .tuple(
        members,
        fc.constantFrom("AND", "OR"),
        fc.array(inner, { minLength: 1, maxLength: 3 }),
        fc.boolean()
      )
      .map(([own, key, children, alone]) => (alone ? { [key]: children } : { ...own, [key]: children }))
  return fc.oneof(members, group(members), group(fc.oneof(members, group(members))))
}

const idOf = (row: Row) => JSON.stringify(row)

describe("a filter means what it says", () => {
  for (const name of ENTITIES)
    it(name, { timeout: 120_000 }, async () => {
      const entity = entityNamed(name)
      const rows = stored.get(name) ?? []
      let selective = 0
      await fc.assert(
        fc.asyncProperty(treesOf(entity), async filters => {
          const wanted = rows.filter(row => meaning(entity, filters, row) === true).map(idOf)
          const found = (await listed(entity, filters)).map(idOf)
          assert.sameMembers(found, wanted)
          if (wanted.length > 0 && wanted.length < rows.length) selective += 1
        }),
        { numRuns: 80, seed: 20_261_122 }
      )
      assert.isAbove(selective, 15)
    })
})

describe("a project id beyond what the index can hold is that of no row", () => {
  const BEYOND = 2 ** 31
  const BELOW = -BEYOND - 1
  const FILTERS: ReadonlyArray<{ readonly [key: string]: Json }> = [
    "projectId",
    "distributionFromProjectId"
  ].flatMap(name => [
    ...[BEYOND, BELOW].flatMap(id =>
      ["", "_not", "_gt", "_gte", "_lt", "_lte"].map(suffix => ({ [`${name}${suffix}`]: id }))
    ),
    ...["_in", "_not_in"].flatMap(suffix => [
      { [`${name}${suffix}`]: [BEYOND] },
      { [`${name}${suffix}`]: [BEYOND, 1, BELOW] }
    ]),
    { OR: [{ [name]: BEYOND }, { [name]: 1 }] },
    {
      OR: [
        { [name]: BEYOND, [`${name}_in`]: [1] },
        { [`${name}_lt`]: BEYOND, [`${name}_not`]: 1 }
      ]
    },
    { [`${name}_lte`]: BEYOND, [`${name}_not`]: 1, [`${name}_gt`]: BELOW }
  ])
  for (const filters of FILTERS)
    it(JSON.stringify(filters), async () => {
      const entity = entityNamed("payEvent")
      const wanted = (stored.get("payEvent") ?? []).filter(row => meaning(entity, filters, row) === true)
      assert.sameMembers((await listed(entity, filters)).map(idOf), wanted.map(idOf))
    })

  it("as decimal text too, further than the scope of a list takes one", async () => {
    const entity = entityNamed("payEvent")
    const texts = { projectId_in: ["9007199254740991", "2147483648"] }
    assert.lengthOf(await listed(entity, texts), 0)
    assert.lengthOf(
      await listed(entity, { projectId_lt: "9007199254740991" }),
      stored.get("payEvent")?.length ?? 0
    )
    const query = { network: "testnet" } as const
    const [filtered, scoped] = await Promise.all(
      [{ filters: { projectId: "9007199254740992" } }, { projectId: "2147483648" }].map(asked =>
        reader.refused(reader.indexer.list("payEvent", { ...query, ...asked }))
      )
    )
    assert.deepStrictEqual(
      [filtered?._tag, scoped?._tag],
      ["INDEXER_UNSAFE_INTEGER", "INDEXER_UNSAFE_INTEGER"]
    )
    assert.strictEqual(filtered?.context?.maximum, Number.MAX_SAFE_INTEGER)
    assert.deepStrictEqual(scoped?.context, { parameter: "projectId", maximum: 2_147_483_647 })
  })
})

const walked = async (entity: Entity, query: Omit<RowsQuery, "network">): Promise<ReadonlyArray<Row>> => {
  const rows: Array<Row> = []
  let cursor: string | undefined
  do {
    const page = await reader.run(reader.indexer.list(entity.name, { network: "testnet", ...query, cursor }))
    rows.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return rows
}

describe("a walk in any order loses no row of its filter, and shows none twice", () => {
  for (const name of ["payEvent", "nftTier"])
    it(name, { timeout: 120_000 }, async () => {
      const entity = entityNamed(name)
      const rows = stored.get(name) ?? []
      const columns = [...entity.columns.values()].filter(
        ({ base, list, hidden }) => base !== "JSON" && !list && !hidden
      )
      const orders = fc.record({
        field: fc.constantFrom(...columns.map(column => column.name)),
        direction: fc.constantFrom("asc", "desc")
      })
      await fc.assert(
        fc.asyncProperty(
          treesOf(entity),
          orders,
          fc.integer({ min: 1, max: 13 }),
          async (filters, orderBy, limit) => {
            const wanted = rows.filter(row => meaning(entity, filters, row) === true).map(idOf)
            const found = await walked(entity, { fields: fieldsOf(entity), filters, orderBy, limit })
            assert.deepStrictEqual(found.map(idOf).toSorted(), wanted.toSorted())
          }
        ),
        { numRuns: 30, seed: 20_261_122 }
      )
    })
})

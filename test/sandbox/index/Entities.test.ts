import { afterAll, assert, describe, it } from "vitest"
import { emptyTables } from "../../../sandbox/index/Tables.ts"
import { fillRandomly } from "../../support/IndexedRows.ts"
import { startIndexedSource } from "../../support/IndexedSource.ts"
import { connected } from "../../support/Sql.ts"
import { answered } from "./Support.ts"

const COUNT = 24

const source = await startIndexedSource({ masked: false })
await fillRandomly(source, { seed: 7, count: COUNT })

afterAll(() => source.stop())

interface Page {
  readonly items: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly totalCount: number
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

const isPage = (value: unknown): value is Page =>
  typeof value === "object" && value !== null && "items" in value && "totalCount" in value

const page = async (query: string, variables: Readonly<Record<string, unknown>>): Promise<Page> => {
  const found = await answered(source, query, variables)
  if (!isPage(found)) throw new Error("That is no page.")
  return found
}

/** Their joins leave a part of the target's key open. */
const AMBIGUOUS = [
  "loan.participant",
  "nft.participant",
  "mintNftEvent.tier",
  "mintNftEvent.nft",
  "decorateBannyEvent.bannyNft"
]

const countOf = (value: unknown): number =>
  typeof value === "object" && value !== null && "totalCount" in value ? Number(value.totalCount) : 0

describe("every entity", () => {
  it("is one of the source's 55, and the wallet", () => {
    assert.strictEqual(source.model.size, 56)
    assert.isTrue(source.model.has("wallet"))
  })

  it("lists each of its rows once, page by page, with all its columns", async () => {
    for (const { name, plural, columns, relations } of source.model.values()) {
      const hidden = new Set(relations.map(relation => relation.name))
      const fields = [...columns.keys()].filter(column => !hidden.has(column)).join(" ")
      const query = `query ($after: String) { ${plural}(limit: 9, after: $after) { items { ${fields} } totalCount pageInfo { hasNextPage endCursor } } }`
      const seen = new Set<string>()
      let after: string | null = null
      do {
        const { items, totalCount, pageInfo }: Page = await page(query, { after })
        assert.strictEqual(totalCount, COUNT, name)
        for (const item of items) seen.add(JSON.stringify(item))
        after = pageInfo.hasNextPage ? pageInfo.endCursor : null
      } while (after !== null)
      assert.strictEqual(seen.size, COUNT, name)
    }
  })

  it("can be read while everything is written anew", async () => {
    const client = await connected(source.databaseUrl)
    await client.query("BEGIN")
    await client.query(emptyTables({ schema: "indexed", model: source.model }))
    assert.deepStrictEqual(await answered(source, "{ projects { totalCount } }"), { totalCount: COUNT })
    await client.query("ROLLBACK")
    await client.end()
  })

  it("answers with a row by its key, and null where there is none", async () => {
    for (const { name, key, columns } of source.model.values()) {
      const [row = {}] = await source.query(`SELECT * FROM ${source.table(name)} LIMIT 1`)
      const types = key.map(part => {
        const type = columns.get(part)?.type
        return `$${part}: ${type === "Int" ? "Float" : type}!`
      })
      const query = `query (${types.join(", ")}) { ${name}(${key.map(part => `${part}: $${part}`).join(", ")}) { __typename } }`
      const variables = Object.fromEntries(key.map(part => [part, row[part]]))
      assert.deepStrictEqual(await answered(source, query, variables), { __typename: name })
      const other = Object.fromEntries(
        key.map(part => [part, columns.get(part)?.type === "String" ? "0xabsent" : 77])
      )
      assert.isNull(await answered(source, query, other))
    }
  })

  it("leads by every relation to the row that it means, where there is one", async () => {
    for (const { name, plural, relations } of source.model.values())
      for (const { name: field, target, many, join } of relations) {
        const inner = many ? "{ totalCount }" : "{ __typename }"
        const { items } = await page(
          `{ ${plural}(limit: 1000) { items { ${field} ${inner} } totalCount pageInfo { hasNextPage endCursor } } }`,
          {}
        )
        const condition = join.map(([local, remote]) => `t."${remote}" = s."${local}"`).join(" AND ")
        const [row] = await source.query(
          `SELECT count(t.*)::integer AS rows, count(DISTINCT s.ctid)::integer AS sources FROM ${source.table(name)} s JOIN ${source.table(target)} t ON ${condition}`
        )
        const found = items.map(item => item[field])
        if (many)
          assert.strictEqual(
            found.reduce((sum: number, one) => sum + countOf(one), 0),
            row?.rows,
            `${name}.${field}`
          )
        else if (!AMBIGUOUS.includes(`${name}.${field}`))
          assert.strictEqual(found.filter(one => one !== null).length, row?.sources, `${name}.${field}`)
      }
  })
})

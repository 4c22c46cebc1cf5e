/** A cursor has room for the newest of what its walk has given; rows before those are forgotten. */
import { Either } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { decodeCursor, encodeCursor, LONGEST_CURSOR } from "../../src/indexer/Cursor.ts"
import { keyed } from "../../src/settings/CursorSigner.ts"
import { plainRow } from "../support/IndexedRows.ts"
import { startIndexedSource } from "../support/IndexedSource.ts"
import { startReader } from "./support/Reader.ts"

const LEAST_REMEMBERED = 400
const LATEST = 1_000_000
const LIMIT = 50
const SIGNER = keyed("secret")

const source = await startIndexedSource({ masked: false })
const reader = await startReader({ testnet: source.url })

afterAll(async () => {
  await reader.stop()
  await source.stop()
})

const page = (cursor: string | undefined) =>
  reader.run(
    reader.indexer.list("payEvent", {
      network: "testnet",
      fields: ["timestamp"],
      orderBy: { field: "timestamp", direction: "asc" },
      limit: LIMIT,
      cursor
    })
  )

/** What a walk over so many rows gives where its first row goes to the end after the first page. */
const walkOver = async (count: number): Promise<ReadonlyArray<string>> => {
  await source.empty("payEvent")
  const rows = Array.from({ length: count }, (_, index) => ({
    ...plainRow(source.model, "payEvent", { chainId: 84532, projectId: 2 }),
    id: `row-${index}`,
    timestamp: index
  }))
  await source.insert("payEvent", rows)
  const given: Array<string> = []
  let cursor: string | undefined
  for (let pages = 0; pages === 0 || cursor !== undefined; pages++) {
    const { items, nextCursor } = await page(cursor)
    given.push(...items.map(({ id }) => String(id)))
    cursor = nextCursor ?? undefined
    if (pages === 0)
      await source.query(`UPDATE ${source.table("payEvent")} SET timestamp = $1 WHERE id = 'row-0'`, [LATEST])
  }
  return given
}

describe("what a walk has given", () => {
  it("is remembered by a cursor that is not too long, the newest of it where not all has room", () => {
    const given = Array.from({ length: 1_000 }, (_, index) => index.toString(16).padStart(10, "0"))
    const cursor = Either.getOrThrow(encodeCursor(SIGNER, {}, { phase: "only", after: "place", given }))
    assert.isAtMost(cursor.length, LONGEST_CURSOR)
    const found = Either.getOrThrow(decodeCursor(SIGNER, {}, cursor))
    assert.strictEqual(found.after, "place")
    assert.isAtLeast(found.given.length, LEAST_REMEMBERED)
    assert.deepStrictEqual(found.given, given.slice(-found.given.length))
  })

  it("is not given again as long as it is remembered", async () => {
    const given = await walkOver(LEAST_REMEMBERED - LIMIT)
    assert.strictEqual(given.length, LEAST_REMEMBERED - LIMIT)
    assert.strictEqual(new Set(given).size, given.length)
  })

  it("is given once more where it comes again after more rows than are remembered", async () => {
    const given = await walkOver(2 * LEAST_REMEMBERED)
    assert.strictEqual(given.length, 2 * LEAST_REMEMBERED + 1)
    assert.deepStrictEqual([given[0], given.at(-1)], ["row-0", "row-0"])
    assert.strictEqual(new Set(given).size, 2 * LEAST_REMEMBERED)
  })
})

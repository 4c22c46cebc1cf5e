/** A walk goes on under the next secret, which knows again what was given under the one before. */
import { afterAll, assert, it } from "vitest"
import { plainRow } from "../support/IndexedRows.ts"
import { startIndexedSource } from "../support/IndexedSource.ts"
import { type Reader, startReader } from "./support/Reader.ts"

const [FIRST, SECOND] = ["the first secret", "the second secret"]
const ROWS = 9

const source = await startIndexedSource({ masked: false })
const before = await startReader({ testnet: source.url, secrets: [FIRST] })
const rotated = await startReader({ testnet: source.url, secrets: [SECOND, FIRST] })
const after = await startReader({ testnet: source.url, secrets: [SECOND] })

afterAll(async () => {
  for (const reader of [before, rotated, after]) await reader.stop()
  await source.stop()
})

const asked = (reader: Reader, cursor: string | undefined) =>
  reader.indexer.list("payEvent", {
    network: "testnet",
    fields: ["timestamp"],
    orderBy: { field: "timestamp", direction: "asc" },
    limit: 3,
    cursor
  })

const paged = async (reader: Reader, cursor: string | undefined) => {
  const { items, nextCursor } = await reader.run(asked(reader, cursor))
  return { ids: items.map(({ id }) => String(id)), cursor: nextCursor ?? undefined }
}

await source.empty("payEvent")
await source.insert(
  "payEvent",
  Array.from({ length: ROWS }, (_, index) => ({
    ...plainRow(source.model, "payEvent", { chainId: 84532, projectId: 2 }),
    id: `row-${index}`,
    timestamp: index
  }))
)

it("a walk gives each row once across two secrets, and ends where its own is known no more", async () => {
  const first = await paged(before, undefined)
  await source.query(`UPDATE ${source.table("payEvent")} SET timestamp = 100 WHERE id = 'row-0'`)
  const second = await paged(rotated, first.cursor)
  const third = await paged(after, second.cursor)
  assert.deepStrictEqual(
    [first.ids, second.ids].flat(),
    [0, 1, 2, 3, 4, 5].map(index => `row-${index}`)
  )
  assert.deepStrictEqual(third.ids.slice(0, 3), ["row-6", "row-7", "row-8"])

  const whole = [second.ids, (await paged(rotated, second.cursor)).ids].flat()
  const last = await paged(rotated, (await paged(rotated, second.cursor)).cursor)
  assert.notInclude([...whole, ...last.ids], "row-0")

  const ended = await after.refused(asked(after, first.cursor))
  assert.strictEqual(ended._tag, "INDEXER_INVALID_CURSOR")
  assert.match(ended.detail ?? "", /^The cursor has ended: .* Begin with the first page\.$/)
  const unread = await after.refused(asked(before, second.cursor))
  assert.match(unread.detail ?? "", /^The cursor has ended/)
})

it("a cursor of another query is not told to have ended", async () => {
  const { cursor } = await paged(before, undefined)
  const other = { network: "testnet", fields: ["timestamp"], limit: 3, cursor } as const
  const refused = await before.refused(before.indexer.list("payEvent", other))
  assert.strictEqual(refused._tag, "INDEXER_INVALID_CURSOR")
  assert.notInclude(refused.detail ?? "", "ended")
})

/** Rows of which less is given than the source holds: what a contract made too long or strange takes nothing else away. */
import { afterAll, assert, beforeEach, describe, it } from "vitest"
import type { RowsQuery } from "../../src/indexer/Indexer.ts"
import { LIMITS } from "../../src/indexer/Limits.ts"
import { plainRow } from "../support/IndexedRows.ts"
import { graphqlAnswer, startIndexedSource } from "../support/IndexedSource.ts"
import { startReader } from "./support/Reader.ts"

const source = await startIndexedSource({ masked: false })
const reader = await startReader({ testnet: source.url })

afterAll(async () => {
  await reader.stop()
  await source.stop()
})

beforeEach(async () => {
  source.intercept()
  for (const entity of ["nft", "nftHook", "payEvent", "activityEvent"]) await source.empty(entity)
})

const HOOK = `0x${"aa".repeat(20)}`
const scope = { chainId: 84532, projectId: 2 }

/** As many tokens as there are URIs, of one hook. */
const tokens = async (
  ...uris: ReadonlyArray<{ readonly tokenUri?: string; readonly metadata?: unknown }>
) => {
  await source.insert("nftHook", [plainRow(source.model, "nftHook", { ...scope, address: HOOK })])
  await source.insert(
    "nft",
    uris.map((over, at) =>
      plainRow(source.model, "nft", { ...scope, hook: HOOK, tokenId: String(at + 1), tierId: 1, ...over })
    )
  )
}

const payments = (...memos: ReadonlyArray<string>) =>
  source.insert(
    "payEvent",
    memos.map((memo, at) =>
      plainRow(source.model, "payEvent", { ...scope, id: String(at), memo, amount: "1" })
    )
  )

const list = (entity: string, query: Partial<RowsQuery> = {}) =>
  reader.run(reader.indexer.list(entity, { network: "testnet", ...query }))

const walk = async (entity: string, query: Partial<RowsQuery> = {}) => {
  const pages = [await list(entity, query)]
  for (let next = pages[0]?.nextCursor; typeof next === "string"; next = pages.at(-1)?.nextCursor)
    pages.push(await list(entity, { ...query, cursor: next }))
  return pages
}

const URI = `data:application/json;base64,${"A".repeat(40_000)}`

describe("a text longer than is given", () => {
  it("is not part of the default selection where it is a document, and keeps no page away", async () => {
    await tokens({ tokenUri: URI }, { tokenUri: "ipfs://short" })
    const { items, degraded } = await list("nft")
    assert.lengthOf(items, 2)
    assert.notProperty(items[0], "tokenUri")
    assert.isUndefined(degraded)
    const { entities } = await reader.run(reader.indexer.catalog)
    const fields = entities.flatMap(({ name, fields }) => fields.map(field => ({ entity: name, ...field })))
    const onRequest = fields.filter(field => field.onRequest).map(({ entity, name }) => `${entity}.${name}`)
    for (const field of [
      "nft.tokenUri",
      "nft.metadata",
      "nftTier.svg",
      "nftTier.resolvedUri",
      "loan.tokenUri"
    ])
      assert.include(onRequest, field)
    assert.notInclude(onRequest, "payEvent.memo")
  })

  it("is cut where it is asked for, and told of by the row's key", async () => {
    await tokens({ tokenUri: URI }, { tokenUri: "ipfs://short" })
    const { items, degraded } = await list("nft", { fields: ["tokenUri"] })
    assert.deepStrictEqual(
      items.map(({ tokenUri }) => tokenUri),
      [URI.slice(0, LIMITS.maxStringBytes), "ipfs://short"]
    )
    const [told, ...others] = degraded ?? []
    assert.lengthOf(others, 0)
    assert.deepStrictEqual(told?.key, { chainId: 84532, hook: HOOK, tokenId: "1" })
    assert.strictEqual(told?.field, "tokenUri")
    assert.deepInclude(told?.error, {
      code: "INDEXER_RESPONSE_TOO_LARGE",
      retryable: false,
      details: { bytes: URI.length, given: LIMITS.maxStringBytes }
    })
  })

  it("ends with a whole character, and is told of in a record and through a relation", async () => {
    await payments("é".repeat(20_000))
    await source.insert("activityEvent", [
      plainRow(source.model, "activityEvent", { ...scope, id: "a", payEvent: "0" })
    ])
    const cut = "é".repeat(LIMITS.maxStringBytes / 2)
    const query = { network: "testnet", id: "0", fields: ["memo"] } as const
    const { item, degraded } = await reader.run(reader.indexer.record("payEvent", query))
    assert.deepInclude(item, { memo: cut })
    assert.deepStrictEqual(
      degraded?.map(({ key, field }) => [key, field]),
      [[{ id: "0" }, "memo"]]
    )
    const page = await list("activityEvent", { fields: ["payEvent.memo"] })
    assert.deepStrictEqual(
      page.degraded?.map(({ key, field }) => [key, field]),
      [[{ id: "a" }, "payEvent.memo"]]
    )
  })
})

describe("rows that are too much for one answer", () => {
  it("come in shorter pages, and none is lost", async () => {
    await payments(...Array.from({ length: 60 }, (_, at) => `${at} ${"m".repeat(100_000)}`))
    const pages = await walk("payEvent", { limit: 50 })
    assert.isAbove(pages.length, 2)
    const ids = pages.flatMap(({ items }) => items.map(({ id }) => String(id)))
    assert.strictEqual(new Set(ids).size, 60)
    assert.lengthOf(ids, 60)
    for (const page of pages)
      assert.isAtMost(Buffer.byteLength(JSON.stringify(page)), LIMITS.maxResponseBytes)
  })

  it("come without their texts where one alone is too much, with everything else", async () => {
    await payments("before", "m".repeat(LIMITS.maxResponseBytes + 1), "behind")
    const pages = await walk("payEvent", { fields: ["memo", "amount"] })
    const items = pages.flatMap(page => page.items)
    assert.deepStrictEqual(
      items.map(({ id, amount, memo }) => [id, amount, memo]),
      [
        ["0", "1", "before"],
        ["1", "1", undefined],
        ["2", "1", "behind"]
      ]
    )
    const degraded = pages.flatMap(page => page.degraded ?? [])
    assert.deepStrictEqual(
      degraded.map(({ key, field, error }) => [key, field, error.code, error.retryable]),
      [[{ id: "1" }, "memo", "INDEXER_RESPONSE_TOO_LARGE", false]]
    )
    const query = { network: "testnet", id: "1", fields: ["memo", "amount"] } as const
    const record = await reader.run(reader.indexer.record("payEvent", query))
    assert.deepInclude(record.item, { amount: "1" })
    assert.deepStrictEqual(record.degraded?.[0]?.field, "memo")
  })
})

describe("JSON of anybody", () => {
  const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])

  it("is passed on as it is", async () => {
    const metadata = { a: [1, "two", { three: null }], b: 1.5 }
    await tokens({ metadata })
    const { items, degraded } = await list("nft", { fields: ["metadata"] })
    assert.deepInclude(items[0], { metadata })
    assert.isUndefined(degraded)
  })

  for (const [what, metadata] of [
    ["too deep", nested(13)],
    ["too large", Array.from({ length: 16_384 }, () => 1)],
    ["with an integer that was rounded", { a: 1e29 }],
    ["with a reserved key", JSON.parse('{"a":{"__proto__":1}}')],
    ["with a text beyond its bound", ["x".repeat(32_769)]]
  ] as const)
    it(`is left out ${what}, with the reason, and nothing else is`, async () => {
      await tokens({ metadata }, { metadata: { fine: true } })
      const { items, degraded } = await list("nft", { fields: ["metadata", "tierId"] })
      assert.notProperty(items[0], "metadata")
      assert.deepInclude(items[0], { tierId: 1 })
      assert.deepInclude(items[1], { metadata: { fine: true } })
      assert.deepStrictEqual(
        degraded?.map(({ field, error }) => [field, error.code, error.retryable]),
        [["metadata", "INDEXER_INVALID_RESPONSE", false]]
      )
    })
})

it("a member that a pinned enum lacks is left out with the reason", async () => {
  await source.insert("activityEvent", [
    plainRow(source.model, "activityEvent", { ...scope, id: "a", type: "payEvent", timestamp: 7 })
  ])
  source.intercept(async (request, pass) => {
    const answer = await pass(request)
    return graphqlAnswer(answer.body.replace('"type":"payEvent"', '"type":"laterEvent"'))
  })
  const { items, degraded } = await list("activityEvent", { fields: ["type", "timestamp"] })
  assert.notProperty(items[0], "type")
  assert.deepInclude(items[0], { timestamp: 7 })
  assert.deepStrictEqual(
    degraded?.map(({ field, error }) => [field, error.code]),
    [["type", "INDEXER_INVALID_RESPONSE"]]
  )
})

import { afterAll, assert, describe, it } from "vitest"
import type { RowsQuery } from "../../src/indexer/Indexer.ts"
import { CANARY, startCanaryReader } from "./support/CanaryReader.ts"
import { info, page, row } from "./support/Events.ts"

const { source, reader, stop } = await startCanaryReader()

afterAll(stop)

const FIELDS = ["amount", "memo"]
const list = (query: Partial<RowsQuery> = {}, entity = "payEvent") =>
  reader.indexer.list(entity, { network: "testnet", fields: FIELDS, ...query })

const codeOf = async (query?: Partial<RowsQuery>, entity?: string) => {
  const refusal = await reader.refused(list(query, entity))
  assert.notInclude(JSON.stringify([refusal.detail, refusal.context, refusal.message]), CANARY)
  return refusal._tag
}

describe("an answer of the source", () => {
  it("is passed on without anything that was not asked for", async () => {
    source.answer(page([{ ...row, extra: 1 }]))
    const { items, totalCount, nextCursor, semantics, provenance } = await reader.run(list())
    const { id, version, chainId, amount, memo } = row
    assert.deepStrictEqual(items, [{ id, version, chainId, projectId: "2", amount, memo }])
    assert.deepStrictEqual([totalCount, nextCursor], [1, null])
    assert.isFalse(semantics.snapshotPinned)
    assert.match(provenance.schemaSha256, /^[0-9a-f]{64}$/)
  })

  const REFUSED: ReadonlyArray<readonly [string, string, unknown]> = [
    ["another version", "INDEXER_VERSION_MISMATCH", page([{ ...row, version: 5 }])],
    ["another network's chain", "INDEXER_IDENTITY_MISMATCH", page([{ ...row, chainId: 1 }])],
    ["a negative project", "INDEXER_IDENTITY_MISMATCH", page([{ ...row, projectId: -1 }])],
    ["a missing field", "INDEXER_INVALID_RESPONSE", page([{ ...row, amount: undefined }])],
    ["null where none may be", "INDEXER_INVALID_RESPONSE", page([{ ...row, amount: null }])],
    ["a number for a wide integer", "INDEXER_INVALID_RESPONSE", page([{ ...row, amount: 5 }])],
    ["a wide integer in another spelling", "INDEXER_INVALID_RESPONSE", page([{ ...row, amount: "05" }])],
    ["negative zero", "INDEXER_INVALID_RESPONSE", page([{ ...row, amount: "-0" }])],
    ["a text for an integer", "INDEXER_INVALID_RESPONSE", page([{ ...row, version: "6" }])],
    ["an integer beyond 32 bits", "INDEXER_INVALID_RESPONSE", page([{ ...row, projectId: 2 ** 31 }])],
    ["a fraction", "INDEXER_INVALID_RESPONSE", page([{ ...row, chainId: 1.5 }])],
    ["an identity beyond its bound", "INDEXER_INVALID_RESPONSE", page([{ ...row, id: "é".repeat(16_385) }])],
    ["a row that is a list", "INDEXER_INVALID_RESPONSE", page([[row]])],
    ["a null row", "INDEXER_INVALID_RESPONSE", page([null])],
    ["more rows than asked for", "INDEXER_INVALID_RESPONSE", page(Array.from({ length: 21 }, () => row))],
    ["a count below its rows", "INDEXER_INVALID_RESPONSE", page([row], { totalCount: 0 })],
    ["no count", "INDEXER_INVALID_RESPONSE", page([row], { totalCount: null })],
    ["items that are no list", "INDEXER_INVALID_RESPONSE", page([row], { items: { 0: row } })],
    [
      "more without a position",
      "INDEXER_INVALID_RESPONSE",
      page([row], { pageInfo: { ...info, hasNextPage: true, endCursor: null } })
    ],
    ["no page information", "INDEXER_INVALID_RESPONSE", page([row], { pageInfo: null })],
    ["no data", "INDEXER_INVALID_RESPONSE", {}],
    ["null data", "INDEXER_INVALID_RESPONSE", { data: null }],
    ["data that is a list", "INDEXER_INVALID_RESPONSE", { data: [] }],
    ["a list", "INDEXER_INVALID_RESPONSE", [page([row])]],
    [
      "an error beside whole data",
      "INDEXER_GRAPHQL_ERROR",
      { ...page([row]), errors: [{ message: CANARY }] }
    ],
    ["errors that are no list", "INDEXER_INVALID_RESPONSE", { ...page([row]), errors: { message: CANARY } }],
    ["errors without messages", "INDEXER_INVALID_RESPONSE", { ...page([row]), errors: [CANARY] }],
    ["null errors", "INDEXER_INVALID_RESPONSE", { ...page([row]), errors: null }]
  ]
  for (const [what, code, body] of REFUSED)
    it(`is refused with ${what}`, async () => {
      source.answer(body)
      assert.strictEqual(await codeOf(), code)
    })

  it("may have an empty list of errors, and an empty page before the last", async () => {
    source.answer({ ...page([], { totalCount: 3, pageInfo: { ...info, hasNextPage: true } }), errors: [] })
    const { items, nextCursor } = await reader.run(list())
    assert.deepStrictEqual(items, [])
    assert.isString(nextCursor)
  })

  it("has to be of the chain and the project that were asked for", async () => {
    source.answer(page([row]))
    assert.strictEqual(await codeOf({ chainId: 11155111 }), "INDEXER_IDENTITY_MISMATCH")
    assert.strictEqual(await codeOf({ projectId: "3" }), "INDEXER_IDENTITY_MISMATCH")
    assert.lengthOf((await reader.run(list({ chainId: 84532, projectId: "2" }))).items, 1)
  })

  it("may not stand still", async () => {
    source.answer(page([row], { totalCount: 9, pageInfo: { ...info, hasNextPage: true } }))
    const { nextCursor } = await reader.run(list())
    assert.strictEqual(await codeOf({ cursor: String(nextCursor) }), "INDEXER_INVALID_RESPONSE")
  })

  it("has to count what has no value, where it is ordered by that", async () => {
    source.answer(page([row]))
    assert.strictEqual(await codeOf({ orderBy: { field: "memo" } }), "INDEXER_INVALID_RESPONSE")
  })
})

describe("a related row", () => {
  const related = (project: unknown) => page([{ ...row, project }])
  const project = { version: 6, chainId: 84532, projectId: 2, name: "n" }
  const fields = ["project.name"]
  for (const [what, code, value] of [
    ["of another version", "INDEXER_VERSION_MISMATCH", { ...project, version: 5 }],
    ["of another chain", "INDEXER_IDENTITY_MISMATCH", { ...project, chainId: 11155111 }],
    ["of another project", "INDEXER_IDENTITY_MISMATCH", { ...project, projectId: 3 }],
    ["that is absent", "INDEXER_INVALID_RESPONSE", undefined],
    ["that is a text", "INDEXER_INVALID_RESPONSE", "project"]
  ] as const)
    it(`${what} is refused`, async () => {
      source.answer(related(value))
      assert.strictEqual(await codeOf({ fields }), code)
    })

  it("may be null, but not where the key of its row is behind it", async () => {
    source.answer(related(null))
    assert.deepInclude((await reader.run(list({ fields }))).items[0], { project: null })
    const nft = { ...row, tokenId: "1", tierId: 1, hook: null }
    source.answer(page([nft]))
    assert.strictEqual(await codeOf({ fields: ["tokenId"] }, "nft"), "INDEXER_RELATION_UNAVAILABLE")
  })

  it("of a token has to be the tier of its hook", async () => {
    const hook = { version: 6, chainId: 84532, projectId: 2, address: "0xaa" }
    const tier = { version: 6, chainId: 84532, projectId: 2, tierId: 1, price: "1", hook }
    const nft = { ...row, tokenId: "1", tierId: 1, hook, tier }
    const fields = ["tier.price"]
    source.answer(page([nft]))
    assert.lengthOf((await reader.run(list({ fields }, "nft"))).items, 1)
    for (const other of [
      { ...tier, tierId: 2 },
      { ...tier, hook: { ...hook, address: "0xbb" } }
    ]) {
      source.answer(page([{ ...nft, tier: other }]))
      assert.strictEqual(await codeOf({ fields }, "nft"), "INDEXER_IDENTITY_MISMATCH")
    }
  })
})

describe("a record", () => {
  const key = { chainId: 84532, projectId: "2" }
  const record = (body: unknown) => {
    source.answer(body)
    return reader.indexer.record("project", { network: "testnet", ...key, fields: ["name"] })
  }
  const project = { version: 6, chainId: 84532, projectId: 2, name: "n" }

  it("that is not there is null", async () => {
    assert.isNull((await reader.run(record({ data: { row: null } }))).item)
  })

  it("has to be the one that was asked for", async () => {
    assert.deepInclude((await reader.run(record({ data: { row: project } }))).item, { name: "n" })
    const other = await reader.refused(record({ data: { row: { ...project, projectId: 3 } } }))
    assert.strictEqual(other._tag, "INDEXER_IDENTITY_MISMATCH")
    assert.strictEqual((await reader.refused(record({ data: {} })))._tag, "INDEXER_INVALID_RESPONSE")
  })

  it("without a version in its key is asked for at version 6", async () => {
    source.answer(page([]))
    const none = reader.indexer.record("payEvent", { network: "testnet", id: "one" })
    assert.isNull((await reader.run(none)).item)
    const { variables } = source.asked.at(-1) ?? {}
    assert.deepInclude(JSON.parse(JSON.stringify(variables)).where.AND, { version: 6 })
    source.answer(page([{ ...row, id: "two" }]))
    const wrong = reader.indexer.record("payEvent", { network: "testnet", id: "one", fields: FIELDS })
    assert.strictEqual((await reader.refused(wrong))._tag, "INDEXER_IDENTITY_MISMATCH")
  })
})

describe("the status", () => {
  const meta = (status: unknown) => {
    source.answer({ data: { _meta: { status } } })
    return reader.indexer.status("testnet")
  }
  const block = { number: 5, timestamp: 7 }

  it("tells each chain's block in the order of the chains", async () => {
    const { chains } = await reader.run(meta({ b: { id: 11155111, block }, a: { id: 84532, block: null } }))
    assert.deepStrictEqual(chains, [
      { chainId: 84532, block: null, timestamp: null },
      { chainId: 11155111, block: 5, timestamp: 7 }
    ])
  })

  it("knows chains by their names where the source gives no ids", async () => {
    const { chains } = await reader.run(meta({ baseSepolia: { block } }))
    assert.deepStrictEqual(chains, [{ chainId: 84532, block: 5, timestamp: 7 }])
  })

  for (const [what, status] of [
    ["no chain", {}],
    ["null", null],
    ["one chain twice", { a: { id: 84532, block }, b: { id: 84532, block } }],
    ["a negative block", { a: { id: 84532, block: { number: -1, timestamp: 1 } } }],
    ["an unknown name without an id", { elsewhere: { block } }],
    [
      "nine chains",
      Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`c${at}`, { id: at + 1, block }]))
    ]
  ] as const)
    it(`is refused with ${what}`, async () => {
      assert.strictEqual((await reader.refused(meta(status)))._tag, "INDEXER_INVALID_RESPONSE")
    })

  it("is refused with a chain of the other network", async () => {
    assert.strictEqual(
      (await reader.refused(meta({ a: { id: 1, block } })))._tag,
      "INDEXER_IDENTITY_MISMATCH"
    )
  })
})

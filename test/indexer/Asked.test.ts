import fc from "fast-check"
import { afterAll, assert, describe, it } from "vitest"
import type { RowsQuery } from "../../src/indexer/Indexer.ts"
import type { Json } from "../../src/indexer/IndexerSchemas.ts"
import { page, row } from "./support/Events.ts"
import { empty, pageInfo, Questioner, text } from "./support/Questioner.ts"

const questioner = await Questioner.start()

afterAll(() => questioner.stop())

const whereOf = async (query: Partial<RowsQuery>, entity?: string): Promise<ReadonlyArray<Json>> => {
  questioner.source.answer(empty)
  await questioner.reader.run(questioner.listing(query, entity))
  return JSON.parse(JSON.stringify(questioner.source.asked.at(-1)?.variables)).where.AND
}

describe("what reaches the source", () => {
  it("is limited to version 6 and the network's chains before anything else", async () => {
    const [version, chains] = await whereOf({})
    assert.deepStrictEqual(version, { version: 6 })
    assert.deepStrictEqual(chains, { chainId_in: [11155111, 11155420, 84532, 421614, 31337] })
    assert.deepStrictEqual(await whereOf({ network: "mainnet" }), [
      { version: 6 },
      { chainId_in: [1, 10, 8453, 42161] }
    ])
    assert.deepStrictEqual(await whereOf({ chainId: 84532, projectId: "0" }), [
      { version: 6 },
      { chainId: 84532 },
      { projectId: 0 }
    ])
    assert.deepStrictEqual(await whereOf({}, "suckerGroup"), [{ version: 6 }])
  })

  it("has filters in the source's words", async () => {
    const filters = { OR: [{ memo_contains: "50%_\\", projectId: "7" }, { caller_in: ["0xAB"] }] }
    const [, , own] = await whereOf({ filters })
    assert.deepStrictEqual(own, {
      OR: [{ AND: [{ memo_contains: "50\\%\\_\\\\", projectId: 7 }] }, { caller_in: ["0xab"] }]
    })
    const [, , renamed] = await whereOf({ filters: { avatarBodyId_gt: "1" } }, "decorateAvatarEvent")
    assert.deepStrictEqual(renamed, { bannyBodyId_gt: "1" })
    const [, , member] = await whereOf({ filters: { type: "decorateAvatarEvent" } }, "activityEvent")
    assert.deepStrictEqual(member, { type: "decorateBannyEvent" })
  })

  it("is text of catalogued names, whatever callers give", async () => {
    const given = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("}", '"', "$where", "#", "...on"))
    const texts = new Set<string>()
    await fc.assert(
      fc.asyncProperty(given, async memo => {
        questioner.source.answer(empty)
        const asked = questioner.source.asked.length
        const query = questioner.listing({ filters: { memo_contains: memo }, fields: ["amount"] })
        await questioner.reader.run(query).catch(() => undefined)
        for (const { query } of questioner.source.asked.slice(asked)) texts.add(query)
      }),
      { numRuns: 60 }
    )
    assert.strictEqual(texts.size, 1)
  })

  it("has at most 96 fields, those of identities included", async () => {
    const relations = ["pay", "swap", "mintNft", "setUri", "autoIssue", "borrowLoan", "deployErc20"]
    const names = [...relations, "mintTokens", "useAllowance"].map(name => `${name}Event`)
    const scalars = ["txHash", "caller", "from", "timestamp", "logIndex"]
    const fields = names.flatMap(name => scalars.map(scalar => `${name}.${scalar}`))
    questioner.source.answer(empty)
    await questioner.reader.run(questioner.listing({ fields }, "activityEvent"))
    const beyond = [...fields, "burnEvent.txHash"]
    assert.strictEqual(
      await questioner.refusedList({ fields: beyond }, "activityEvent"),
      "INDEXER_SELECTION_TOO_COMPLEX"
    )
  })
})

describe("a cursor", () => {
  const query = { filters: { memo: "a" }, fields: ["memo"], orderBy: { field: "amount" }, limit: 5 } as const

  const next = async () => {
    questioner.source.answer(empty)
    const { nextCursor } = await questioner.reader.run(questioner.listing(query))
    return String(nextCursor)
  }

  it("brings the source's own position back, for a page of any size", async () => {
    const cursor = await next()
    assert.match(cursor, /^[A-Za-z0-9_~-]+$/)
    questioner.source.answer({
      data: { page: { items: [], totalCount: 9, pageInfo: { ...pageInfo, endCursor: "c" } } }
    })
    await questioner.reader.run(questioner.listing({ ...query, limit: 50, cursor }))
    assert.strictEqual(questioner.source.asked.at(-1)?.variables.after, "b+/=")
  })

  const others: ReadonlyArray<readonly [string, Partial<RowsQuery>, string?]> = [
    ["network", { network: "mainnet" }],
    ["chain", { chainId: 84532 }],
    ["project", { projectId: "1" }],
    ["filter", { filters: { memo: "b" } }],
    ["selection", { fields: ["memo", "amount"] }],
    ["default selection", { fields: undefined }],
    ["order", { orderBy: { field: "timestamp" } }],
    ["direction", { orderBy: { field: "amount", direction: "desc" } }],
    ["default order", { orderBy: undefined }],
    ["entity", {}, "mintTokensEvent"]
  ]
  for (const [what, over, entity] of others)
    it(`is good for no other ${what}`, async () => {
      const cursor = await next()
      const fitting =
        entity === undefined ? { ...query, ...over } : { fields: ["memo"], filters: { memo: "a" } }
      assert.strictEqual(
        await questioner.refusedList({ ...fitting, cursor }, entity),
        "INDEXER_INVALID_CURSOR"
      )
    })

  it("is refused with any character changed, added or removed", async () => {
    const cursor = await next()
    await fc.assert(
      fc.asyncProperty(
        fc.nat(cursor.length - 1),
        fc.constantFrom("A", "b", "0", "1", "v", "n", "-", ""),
        async (at, mark) => {
          const altered = cursor.slice(0, at) + mark + cursor.slice(at + 1)
          if (altered === cursor) return
          assert.strictEqual(
            await questioner.refusedList({ ...query, cursor: altered }),
            "INDEXER_INVALID_CURSOR"
          )
        }
      ),
      { numRuns: 80 }
    )
    assert.strictEqual(
      await questioner.refusedList({ ...query, cursor: `${cursor}A` }),
      "INDEXER_INVALID_CURSOR"
    )
  })

  it("keeps any text that a source may call a position", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, maxLength: 200, unit: "grapheme" }), async position => {
        questioner.source.answer({
          data: { page: { items: [], totalCount: 9, pageInfo: { ...pageInfo, endCursor: position } } }
        })
        const { nextCursor } = await questioner.reader.run(questioner.listing({}))
        const last = { ...pageInfo, hasNextPage: false, hasPreviousPage: true }
        questioner.source.answer({ data: { page: { items: [], totalCount: 9, pageInfo: last } } })
        await questioner.reader.run(questioner.listing({ cursor: String(nextCursor) }))
        assert.strictEqual(questioner.source.asked.at(-1)?.variables.after, position)
      }),
      { numRuns: 60 }
    )
  })

  for (const [whose, longestCursor, remembered] of [
    ["a request", 3_072, 400],
    ["an operation's input", 1_024, 50]
  ] as const)
    it(`stays as long as ${whose} takes it, however much was given, and remembers the latest rows`, async () => {
      const asking = { fields: ["amount"], orderBy: { field: "amount" }, limit: 50, longestCursor } as const
      const ids = Array.from({ length: 1_000 }, (_, at) => `event-${at}`)
      const give = (some: ReadonlyArray<string>, at: number) =>
        questioner.source.answer(
          page(
            some.map(id => ({ ...row, id })),
            { totalCount: 9_999, pageInfo: { ...pageInfo, hasPreviousPage: true, endCursor: `at-${at}` } }
          )
        )
      let cursor: string | undefined
      for (let at = 0; at < ids.length; at += 50) {
        give(ids.slice(at, at + 50), at)
        const { items, nextCursor } = await questioner.reader.run(questioner.listing({ ...asking, cursor }))
        assert.lengthOf(items, 50)
        cursor = nextCursor ?? undefined
        assert.isAtMost(cursor?.length ?? Number.NaN, longestCursor)
      }
      for (const some of [ids.slice(-50), ids.slice(-remembered)]) {
        give(some.slice(0, 49).concat("new"), 1_000)
        const { items } = await questioner.reader.run(questioner.listing({ ...asking, cursor }))
        assert.deepStrictEqual(
          items.map(({ id }) => id),
          ["new"]
        )
      }
    })

  it("that would be too long to be sent is refused, not cut", async () => {
    questioner.source.answer({
      data: { page: { items: [], totalCount: 9, pageInfo: { ...pageInfo, endCursor: text(4000) } } }
    })
    assert.strictEqual(
      (await questioner.reader.refused(questioner.listing({})))._tag,
      "INDEXER_RESPONSE_TOO_LARGE"
    )
  })
})

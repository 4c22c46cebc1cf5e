/** A payment that was made already is looked for over however many blocks, of which nodes answer few at a time. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { OutsidePayments } from "../../src/dispatch/OutsidePayments.ts"
import { outsidePayments } from "../../src/sponsorship/PaidElsewhere.ts"
import type { StoredSponsorship } from "../../src/sponsorship/SponsorshipRow.ts"
import { SponsorshipStore } from "../../src/sponsorship/SponsorshipStore.ts"
import { keccak256Utf8 } from "../../src/values/Keccak.ts"
import { onNodes, tagOf } from "../chain/ChainUnderTest.ts"
import type { FakeNode } from "../support/FakeNode.ts"

/** One a second. */
const HEAD = 8_000
const PUBLISHED = 1_900
/** Chains' clocks and the database's are not one. */
const SINCE = PUBLISHED - 900

const BUNDLE = "fbfc3a4e-f4e7-45fa-a2f3-71acc6b43637"
const WORD = `0x${"ab".repeat(32)}` as const
const CONTRACT = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const payment = { chainId: 1, to: CONTRACT, token: CONTRACT, value: "1", data: "0x", deadline: 1 } as const

const stored: StoredSponsorship = {
  ...{ id: "", planId: "", planCommitment: WORD, principalId: "", commitment: WORD, authorizations: [] },
  ...{ createdAt: 0, publicationExpiresAt: 0, endsAt: 0, revision: 0, now: 0, facts: [] },
  ...{ isRestored: false, isPaidPerhaps: false, funding: undefined },
  publication: {
    ...{ submissionHash: WORD, startedAt: PUBLISHED * 1_000, leaseEndsAt: 0, outcome: "answered" },
    ...{ settledAt: 0, transactions: null, commitment: null, verifiedAt: 0, doubt: null },
    quote: { bundleId: BUNDLE, transactionIds: [], payments: [payment] }
  }
}

const alsoPaidOn = (chainId: number): StoredSponsorship => {
  const { publication } = stored
  if (!publication?.quote) return assert.fail("no quote")
  const payments = [payment, { ...payment, chainId }]
  return { ...stored, publication: { ...publication, quote: { ...publication.quote, payments } } }
}

const refusal = Effect.flatMap(OutsidePayments, ({ refusePaid }) =>
  refusePaid({ operation: "prepaid_bundle_funding", summary: { sponsorshipId: "" } })
)

interface Range {
  readonly from: number
  readonly blocks: number
}

const rangeOf = (filter: unknown) => ({
  from: Number(Reflect.get(Object(filter), "fromBlock")),
  to: Number(Reflect.get(Object(filter), "toBlock"))
})

const answersTen = (node: FakeNode, asked: Array<Range>) =>
  node.on("eth_getLogs", ([filter]) => {
    const { from, to } = rangeOf(filter)
    const blocks = to - from + 1
    asked.push({ from, blocks })
    return blocks > 10 ? { error: { code: -32_000 } } : { result: [] }
  })

const forwardOf = (sponsorship: StoredSponsorship) =>
  Layer.provide(
    outsidePayments,
    Layer.mock(SponsorshipStore, { loadAll: () => Effect.succeed([sponsorship]) })
  )

const forward = forwardOf(stored)

const mined = (node: FakeNode) => {
  for (let blocks = 0; blocks < HEAD; blocks++) node.mine()
}

it.effect("goes as far as one answer lasts, and is gone on with by the next", () =>
  onNodes([{}], node =>
    Effect.gen(function* () {
      mined(node)
      const asked: Array<Range> = []
      answersTen(node, asked)
      assert.strictEqual(yield* tagOf(refusal), "RPC_UNAVAILABLE")
      assert.isAtMost(asked.filter(({ blocks }) => blocks > 10).length, 16)
      yield* refusal
      const answered = asked.filter(({ blocks }) => blocks <= 10).sort((one, other) => one.from - other.from)
      const [first = assert.fail("nothing was asked")] = answered
      assert.isBelow(first.from, SINCE)
      assert.isAbove(first.from, SINCE - 300)
      const end = answered.reduce((next, { from, blocks }) => {
        assert.strictEqual(from, next)
        return from + blocks
      }, first.from)
      assert.strictEqual(end, HEAD + 1)
    }).pipe(Effect.provide(forward))
  )
)

const PAID = 2_500

const tells = (node: FakeNode) =>
  node.on("eth_getLogs", ([filter]) => {
    const { from, to } = rangeOf(filter)
    return { result: from <= PAID && PAID <= to ? [prepayment] : [] }
  })

const prepayment = {
  address: CONTRACT.toLowerCase(),
  topics: [
    keccak256Utf8("Prepayment(bytes16,uint256,uint40)"),
    `0x${BUNDLE.replaceAll("-", "").padEnd(64, "0")}`
  ],
  data: `0x${"1".padStart(64, "0").repeat(2)}`,
  ...{ blockNumber: `0x${PAID.toString(16)}`, blockHash: WORD, transactionHash: WORD },
  ...{ transactionIndex: "0x0", logIndex: "0x0", removed: false }
}

it.effect("is looked for from the start where a node failed after another one told of no logs", () =>
  onNodes([{}], node =>
    Effect.gen(function* () {
      mined(node)
      let looks = 0
      node.on("eth_getLogs", ([filter]) => {
        const { from, to } = rangeOf(filter)
        return to - from >= 4_000 || looks++ > 0 ? { error: { code: -32_000 } } : { result: [] }
      })
      assert.strictEqual(yield* tagOf(refusal), "RPC_UNAVAILABLE")
      assert.isAbove(looks, 1)
      tells(node)
      assert.strictEqual(yield* tagOf(refusal), "SPONSORSHIP_CONFLICT")
    }).pipe(Effect.provide(forward))
  )
)

it.effect("is looked for from the start where the chain of another payment could not be asked", () =>
  onNodes([{}], node =>
    Effect.gen(function* () {
      mined(node)
      node.on("eth_getLogs", () => ({ result: [] }))
      assert.strictEqual(yield* tagOf(refusal), "UNSUPPORTED_CHAIN")
      tells(node)
      assert.strictEqual(yield* tagOf(refusal), "SPONSORSHIP_CONFLICT")
    }).pipe(Effect.provide(forwardOf(alsoPaidOn(10))))
  )
)

it.effect("is looked for from the start once more by the next look, whose node may tell of more", () =>
  onNodes([{}], node =>
    Effect.gen(function* () {
      mined(node)
      node.on("eth_getLogs", () => ({ result: [] }))
      yield* refusal
      tells(node)
      assert.strictEqual(yield* tagOf(refusal), "SPONSORSHIP_CONFLICT")
    }).pipe(Effect.provide(forward))
  )
)

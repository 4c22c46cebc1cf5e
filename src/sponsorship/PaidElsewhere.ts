/** Whether a bundle's payment stands on a chain already, whoever sent it: it is paid for once. */
import { Effect, Either, Layer, Option, Schema } from "effect"
import { type Block, ChainClient, type ChainSession } from "../chain/ChainClient.ts"
import { tentative } from "../chain/PinnedReads.ts"
import { blockByNumber, latestBlock } from "../chain/Reads.ts"
import { RpcUnavailable } from "../chain/refusals.ts"
import { OutsidePayments } from "../dispatch/OutsidePayments.ts"
import { SponsorshipConflict } from "../dispatch/refusals.ts"
import { lookThrough } from "../dispatch/SearchEvents.ts"
import { FINAL_CONFIRMATIONS } from "../dispatch/SearchHeads.ts"
import { forEachAtOnce } from "../values/ForEachAtOnce.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { FUNDING_OPERATION } from "./FundingPlan.ts"
import type { ProviderQuote } from "./ProviderQuote.ts"
import type { QuotedPayment } from "./Sponsorship.ts"
import { shownPayments } from "./SponsorshipRow.ts"
import { SponsorshipStore } from "./SponsorshipStore.ts"

const PREPAYMENT_TOPIC = keccak256Utf8("Prepayment(bytes16,uint256,uint40)")
const AMOUNT_END = 66

/** Chains' clocks and the database's are not one. */
const MARGIN_SECONDS = 900
/** Blocks before the head, up to as many as a fast chain makes while requests live. */
const STRIDES = Array.from({ length: 15 }, (_, index) => 64n << BigInt(index))
/** Of the way from one to the next. */
const SIXTEENTHS = Array.from({ length: 15 }, (_, index) => BigInt(index + 1))
/** For one answer; the next one goes on from there. */
const MOST_LOOKS = 64
/** Whose search was left the longest ago is searched for from the beginning. */
const MOST_KEPT = 10_000

const ELSEWHERE =
  "The bundle is paid for already, by a transaction that this service was not told of: it is paid for once. Where that makes the call of a funding plan, its very bytes are taken up once they are submitted for it."

const UNSEEN =
  "The chain of a payment did not tell whether the bundle is paid for already: nothing is paid for meanwhile."

const UNSEARCHED =
  "The chain of a payment is not looked through yet for one that was made already: ask again, and that goes on. Nothing is paid for meanwhile."

interface Head {
  readonly session: ChainSession
  readonly block: Block
}

/** Of falling numbers, the place of the first whose block is known to be older. */
const firstOlder = Effect.fnUntraced(function* (
  session: ChainSession,
  numbers: ReadonlyArray<bigint>,
  seconds: number
) {
  const asked = numbers.map(number => tentative(blockByNumber(session.chainId, number)))
  const blocks = (yield* session.all(asked)).map(Option.getOrNull)
  return blocks.findIndex(each => each !== null && each.timestamp < BigInt(seconds))
})

/** A block that is known to be older, or the deepest that is asked for; not many before the nearest. */
const blockBefore = Effect.fnUntraced(function* ({ session, block }: Head, seconds: number) {
  const numbers = STRIDES.map(stride => block.number - stride).filter(number => number > 0n)
  const deepest = numbers.length < STRIDES.length ? 0n : (numbers.at(-1) ?? 0n)
  const found = yield* firstOlder(session, numbers, seconds)
  const place = found < 0 ? numbers.length : found
  const older = numbers[place] ?? deepest
  const newer = numbers[place - 1] ?? block.number
  const between = SIXTEENTHS.map(part => newer - ((newer - older) * part) / 16n)
  return between[yield* firstOlder(session, between, seconds)] ?? older
})

interface PaymentSearch {
  readonly from: bigint
  /** From where the next one is to go on. */
  readonly keep: (from: bigint) => void
}

const paymentIn = Effect.fnUntraced(function* (
  { session, block }: Head,
  word: Bytes32,
  { to: address, value }: QuotedPayment,
  search: PaymentSearch
) {
  const topics = [PREPAYMENT_TOPIC, word]
  let from = search.from
  let width: bigint | undefined
  for (let looks = 0; from <= block.number; looks++) {
    if (looks === MOST_LOOKS) return yield* new RpcUnavailable({ detail: UNSEARCHED })
    const seen = yield* lookThrough(session, { address, topics, from, to: block.number }, width)
    if (Option.isNone(seen)) return yield* new RpcUnavailable({ detail: UNSEEN })
    const { logs, to } = seen.value
    const paid = logs.find(({ data }) => BigInt(data.slice(0, AMOUNT_END)) >= BigInt(value))
    if (paid !== undefined) return paid.transactionHash
    from = to + 1n
    width = seen.value.width
    search.keep(from)
  }
  return undefined
})

/** How far the chains of a bundle were searched for which one answer was too short, up to where chains are left no more. */
const makeSearches = () => {
  const kept = new Map<string, bigint>()
  return {
    recall: (name: string) => kept.get(name),
    forget: (name: string) => kept.delete(name),
    keep: (name: string, from: bigint, { number }: Block) => {
      const deepest = number - FINAL_CONFIRMATIONS
      const place = from < deepest ? from : deepest
      if (place <= (kept.get(name) ?? 0n)) return
      kept.delete(name)
      kept.set(name, place)
      const [oldest] = kept.keys()
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
    }
  }
}

const searchName = ({ bundleId }: ProviderQuote, { chainId }: QuotedPayment) => `${bundleId}/${chainId}`

const refusePayment = Effect.fnUntraced(function* (
  quote: ProviderQuote,
  payment: QuotedPayment,
  publishedAt: number,
  searches: ReturnType<typeof makeSearches>
) {
  const { chainId } = payment
  const { session, answers } = yield* (yield* ChainClient).begin(chainId, [latestBlock(chainId)])
  const head: Head = { session, block: answers[0] }
  const name = searchName(quote, payment)
  const before = Math.floor(publishedAt / 1000) - MARGIN_SECONDS
  const from = searches.recall(name) ?? (yield* blockBefore(head, before))
  const word: Bytes32 = `0x${quote.bundleId.replaceAll("-", "").padEnd(64, "0")}`
  const keep = (next: bigint) => searches.keep(name, next, head.block)
  const transactionHash = yield* paymentIn(head, word, payment, { from, keep })
  if (transactionHash !== undefined)
    return yield* new SponsorshipConflict({ detail: ELSEWHERE, context: { chainId, transactionHash } })
})

const outcomeOf = (...of: Parameters<typeof refusePayment>) => Effect.either(refusePayment(...of))

type Outcome = Effect.Effect.Success<ReturnType<typeof outcomeOf>>

/** Any other end has the next search begin anew: a node may have had a gap. */
const isGoneOnWith = (outcomes: ReadonlyArray<Outcome>): boolean => {
  const failures = outcomes.filter(Either.isLeft).map(({ left }) => left)
  return (
    failures.length > 0 &&
    failures.every(({ _tag, detail }) => _tag === "RPC_BUDGET" || detail === UNSEARCHED)
  )
}

const isOfSponsorship = Schema.is(Schema.Struct({ sponsorshipId: Schema.String }))

export const outsidePayments = Layer.effect(
  OutsidePayments,
  Effect.gen(function* () {
    const sponsorships = yield* SponsorshipStore
    const chains = yield* ChainClient
    const searches = makeSearches()
    return {
      refusePaid: Effect.fnUntraced(function* ({ operation, summary }) {
        if (operation !== FUNDING_OPERATION || !isOfSponsorship(summary)) return
        const [stored] = yield* sponsorships.loadAll([summary.sponsorshipId])
        const { quote, startedAt } = stored?.publication ?? {}
        /** The claim names the plan that pays, where one was admitted. */
        const isTold = stored?.funding?.admitted === true
        if (isTold || !quote || startedAt === undefined) return
        const payments = shownPayments(quote)
        const outcomes = yield* forEachAtOnce(payments, payment =>
          Effect.provideService(outcomeOf(quote, payment, startedAt, searches), ChainClient, chains)
        )
        if (!isGoneOnWith(outcomes))
          for (const payment of payments) searches.forget(searchName(quote, payment))
        yield* Effect.forEach(outcomes, outcome => outcome, { discard: true })
      })
    }
  })
)

/** Whether a bundle's payment stands on a chain already, whoever sent it: it is paid for once. */
import { Effect, Layer, Option, Schema } from "effect"
import { type Block, ChainClient, type ChainSession } from "../chain/ChainClient.ts"
import { tentative } from "../chain/PinnedReads.ts"
import { blockByNumber, latestBlock } from "../chain/Reads.ts"
import { RpcUnavailable } from "../chain/refusals.ts"
import { OutsidePayments } from "../dispatch/OutsidePayments.ts"
import { SponsorshipConflict } from "../dispatch/refusals.ts"
import { searchEvents } from "../dispatch/SearchEvents.ts"
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

const ELSEWHERE =
  "The bundle is paid for already, by a transaction that this service was not told of: it is paid for once. Where that makes the call of a funding plan, its very bytes are taken up once they are submitted for it."

const UNSEEN =
  "The chain of a payment did not tell whether the bundle is paid for already: nothing is paid for meanwhile."

interface Head {
  readonly session: ChainSession
  readonly block: Block
}

/** The nearest known block that is older. */
const blockBefore = Effect.fnUntraced(function* ({ session, block }: Head, seconds: number) {
  const numbers = STRIDES.map(stride => block.number - stride).filter(number => number > 0n)
  const asked = numbers.map(number => tentative(blockByNumber(block.chainId, number)))
  const blocks = (yield* session.all(asked)).map(Option.getOrNull)
  const older = blocks.find(each => each !== null && each.timestamp < BigInt(seconds))
  const deepest = numbers.length < STRIDES.length ? 0n : (numbers.at(-1) ?? 0n)
  return older?.number ?? deepest
})

const paymentSince = Effect.fnUntraced(function* (
  { session, block }: Head,
  word: Bytes32,
  { to: contract, value }: QuotedPayment,
  since: bigint
) {
  for (let from = since; from <= block.number; ) {
    const sought = { contract, word, from }
    const found = yield* searchEvents(session, PREPAYMENT_TOPIC, [sought], block.number)
    const seen = found.get(sought) ?? Option.none()
    if (Option.isNone(seen)) return yield* new RpcUnavailable({ detail: UNSEEN })
    const paid = seen.value.logs.find(({ data }) => BigInt(data.slice(0, AMOUNT_END)) >= BigInt(value))
    if (paid !== undefined) return paid.transactionHash
    from = seen.value.to + 1n
  }
  return undefined
})

const refusePayment = Effect.fnUntraced(function* (
  { bundleId }: ProviderQuote,
  payment: QuotedPayment,
  publishedAt: number
) {
  const { chainId } = payment
  const { session, answers } = yield* (yield* ChainClient).begin(chainId, [latestBlock(chainId)])
  const head: Head = { session, block: answers[0] }
  const since = yield* blockBefore(head, Math.floor(publishedAt / 1000) - MARGIN_SECONDS)
  const word: Bytes32 = `0x${bundleId.replaceAll("-", "").padEnd(64, "0")}`
  const transactionHash = yield* paymentSince(head, word, payment, since)
  if (transactionHash !== undefined)
    return yield* new SponsorshipConflict({ detail: ELSEWHERE, context: { chainId, transactionHash } })
})

const isOfSponsorship = Schema.is(Schema.Struct({ sponsorshipId: Schema.String }))

export const outsidePayments = Layer.effect(
  OutsidePayments,
  Effect.gen(function* () {
    const sponsorships = yield* SponsorshipStore
    const chains = yield* ChainClient
    return {
      refusePaid: Effect.fnUntraced(function* ({ operation, summary }) {
        if (operation !== FUNDING_OPERATION || !isOfSponsorship(summary)) return
        const [stored] = yield* sponsorships.loadAll([summary.sponsorshipId])
        const { quote, startedAt } = stored?.publication ?? {}
        /** The claim names the plan that pays, where one was admitted. */
        const isTold = stored?.funding?.admitted === true
        if (isTold || !quote || startedAt === undefined) return
        yield* forEachAtOnce(shownPayments(quote), payment =>
          Effect.provideService(refusePayment(quote, payment, startedAt), ChainClient, chains)
        )
      })
    }
  })
)

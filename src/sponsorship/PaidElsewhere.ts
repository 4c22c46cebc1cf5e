/** Whether a bundle's payment stands on a chain already, whoever sent it: it is paid for once. */
import { Effect, Option } from "effect"
import { ChainClient, type Snapshot } from "../chain/ChainClient.ts"
import { tentative } from "../chain/PinnedReads.ts"
import { blockByNumber } from "../chain/Reads.ts"
import { RpcUnavailable } from "../chain/refusals.ts"
import { SponsorshipConflict } from "../dispatch/refusals.ts"
import { searchEvents } from "../dispatch/SearchEvents.ts"
import { forEachAtOnce } from "../values/ForEachAtOnce.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import type { ProviderQuote } from "./ProviderQuote.ts"
import type { QuotedPayment } from "./Sponsorship.ts"
import { shownPayments } from "./SponsorshipRow.ts"

const PREPAYMENT_TOPIC = keccak256Utf8("Prepayment(bytes16,uint256,uint40)")
const AMOUNT_END = 66

/** Chains' clocks and the database's are not one. */
const MARGIN_SECONDS = 900
/** Blocks before the head, up to as many as a fast chain makes while requests live. */
const STRIDES = Array.from({ length: 15 }, (_, index) => 64n << BigInt(index))

const ELSEWHERE =
  "The bundle is paid for already, by a transaction that this service was not told of: it is paid for once."

const UNSEEN =
  "The chain of a payment did not tell whether the bundle is paid for already: nothing is paid for meanwhile."

/** The nearest known block that is older. */
const blockBefore = Effect.fnUntraced(function* ({ session, block }: Snapshot, seconds: number) {
  const numbers = STRIDES.map(stride => block.number - stride).filter(number => number > 0n)
  const asked = numbers.map(number => tentative(blockByNumber(block.chainId, number)))
  const blocks = (yield* session.all(asked)).map(Option.getOrNull)
  const older = blocks.find(each => each !== null && each.timestamp < BigInt(seconds))
  const deepest = numbers.length < STRIDES.length ? 0n : (numbers.at(-1) ?? 0n)
  return older?.number ?? deepest
})

const paymentSince = Effect.fnUntraced(function* (
  { session, block }: Snapshot,
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

/** Nothing is paid for where a chain does not say. */
export const refusePaid = Effect.fnUntraced(function* (quote: ProviderQuote, publishedAt: number) {
  const { snapshot } = yield* ChainClient
  const word: Bytes32 = `0x${quote.bundleId.replaceAll("-", "").padEnd(64, "0")}`
  yield* forEachAtOnce(
    shownPayments(quote),
    Effect.fnUntraced(function* (payment: QuotedPayment) {
      const { chainId } = payment
      const head = yield* snapshot(chainId)
      const since = yield* blockBefore(head, Math.floor(publishedAt / 1000) - MARGIN_SECONDS)
      const transactionHash = yield* paymentSince(head, word, payment, since)
      if (transactionHash !== undefined)
        return yield* new SponsorshipConflict({ detail: ELSEWHERE, context: { chainId, transactionHash } })
    })
  )
})

/** Whether what a provider asks for is for our bundle and goes to the pinned contract; nothing of it is sent anywhere. */
import { createHash } from "node:crypto"
import { Effect, Either } from "effect"
import { ChainClient } from "../chain/ChainClient.ts"
import { Settings } from "../settings/Settings.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { failpoint } from "../values/Failpoint.ts"
import { forEachAtOnce } from "../values/ForEachAtOnce.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { PaymentCodes } from "./PaymentCodes.ts"
import { PrepaidProvider, type ProviderSilence } from "./PrepaidProvider.ts"
import { hintOf } from "./ProviderBundle.ts"
import type { ProviderQuote } from "./ProviderQuote.ts"
import { paymentsDoubt } from "./QuotedPayments.ts"
import { type BoundRequest, boundRequests } from "./QuotedRequests.ts"
import { type QuoteFinding, QuoteStore } from "./QuoteStore.ts"
import type { QuoteDoubt, QuotedTransaction } from "./Sponsorship.ts"
import { type StoredSponsorship, shownPayments } from "./SponsorshipRow.ts"

const SILENCES: Readonly<Record<ProviderSilence, QuoteDoubt>> = {
  unavailable: "provider-unreachable",
  late: "provider-unreachable",
  unreadable: "provider-answer",
  "unknown-bundle": "bundle-unknown"
}

/** Who says nothing contradicts nothing. */
const SILENT = new Set<QuoteDoubt>(["provider-unreachable", "provider-answer", "chain-unreachable"])

export interface LookedAt {
  readonly doubt: QuoteDoubt | undefined
  /** Of the quote, once its requests are bound. */
  readonly commitment?: Bytes32 | undefined
  /** Why the provider was not heard, where it was not. */
  readonly silence?: ProviderSilence
}

const commitmentOf = (
  { id, publication }: StoredSponsorship,
  quote: ProviderQuote,
  transactions: ReadonlyArray<QuotedTransaction>
): Bytes32 => {
  const submissionHash = publication?.submissionHash
  const payments = shownPayments(quote)
  const text = canonicalJson({
    sponsorshipId: id,
    submissionHash,
    bundleId: quote.bundleId,
    payments,
    transactions
  })
  return `0x${createHash("sha256").update(text).digest("hex")}`
}

/** At the head of each chain that a payment is for. */
const codeDoubt = Effect.fnUntraced(function* ({ payments }: ProviderQuote) {
  const codes = yield* PaymentCodes
  const doubts = yield* forEachAtOnce(payments, ({ chainId }) =>
    codes.holds(chainId).pipe(
      Effect.map((holds): QuoteDoubt | undefined => (holds ? undefined : "payment-code")),
      Effect.orElseSucceed((): QuoteDoubt => "chain-unreachable")
    )
  )
  return doubts.find(doubt => doubt === "payment-code") ?? doubts.find(doubt => doubt !== undefined)
})

const paymentDoubt = Effect.fnUntraced(function* (stored: StoredSponsorship, quote: ProviderQuote) {
  const { maximumFunding, payments } = (yield* Settings).sponsorship
  const served = new Set((yield* (yield* ChainClient).chains).map(({ id }) => id))
  const contracts = payments.filter(({ chainId }) => served.has(chainId))
  const requestsEnd = Math.min(...stored.authorizations.map(({ message }) => Number(message.deadline)))
  return paymentsDoubt(quote, { contracts, maximumFunding, requestsEnd }) ?? (yield* codeDoubt(quote))
})

const found = (
  stored: StoredSponsorship,
  quote: ProviderQuote,
  requests: ReadonlyArray<BoundRequest>,
  doubt: QuoteDoubt | undefined
): QuoteFinding => {
  const transactions = requests.map(({ transaction }) => transaction)
  return {
    doubt,
    contradicts: doubt !== undefined && !SILENT.has(doubt),
    bound:
      transactions.length === 0
        ? undefined
        : { transactions, commitment: commitmentOf(stored, quote, transactions) }
  }
}

const hintFrom = ({ transaction, status }: BoundRequest) => ({
  step: transaction.stepIndex,
  ...hintOf(status)
})

/** What a provider told of a quote. */
interface HeardQuote {
  readonly quote: ProviderQuote
  readonly silence?: ProviderSilence
  readonly requests: Either.Either<ReadonlyArray<BoundRequest>, QuoteDoubt>
}

/** By one question to the provider. */
const hear = Effect.fn("VerifyQuote.hear")(function* (stored: StoredSponsorship) {
  const { publication, authorizations } = stored
  const quote = publication?.quote ?? undefined
  if (publication === undefined || quote === undefined) return undefined
  const heard = yield* Effect.either((yield* PrepaidProvider).bundle(quote.bundleId))
  if (Either.isLeft(heard)) {
    const silent: HeardQuote = { quote, silence: heard.left, requests: Either.left(SILENCES[heard.left]) }
    return silent
  }
  const bound = publication.transactions ?? undefined
  const requests = boundRequests({ quote, authorizations, bound }, heard.right)
  const told: HeardQuote = { quote, requests }
  return told
})

const hintsOf = ({ requests }: HeardQuote) => Either.getOrElse(requests, () => []).map(hintFrom)

/** Where the provider says to look is kept at once. */
export const hearQuote = Effect.fnUntraced(function* (stored: StoredSponsorship) {
  const heard = yield* hear(stored)
  if (heard !== undefined) yield* (yield* QuoteStore).hint(stored.id, hintsOf(heard))
  return heard
})

/** By one look at the head of each chain that a payment is for. */
export const judgeQuote = Effect.fn("VerifyQuote.judge")(function* (
  stored: StoredSponsorship,
  heard: HeardQuote
) {
  const { quote, silence, requests } = heard
  const doubt = Either.isLeft(requests) ? requests.left : yield* paymentDoubt(stored, quote)
  const finding = found(
    stored,
    quote,
    Either.getOrElse(requests, () => []),
    doubt
  )
  yield* (yield* QuoteStore).record(stored.id, finding, hintsOf(heard))
  yield* failpoint("sponsor.verified")
  const looked: LookedAt = {
    doubt,
    commitment: finding.bound?.commitment,
    ...(silence === undefined ? {} : { silence })
  }
  return looked
})

export const verifyQuote = Effect.fn("VerifyQuote.verify")(function* (stored: StoredSponsorship) {
  const heard = yield* hear(stored)
  return heard === undefined ? undefined : yield* judgeQuote(stored, heard)
})

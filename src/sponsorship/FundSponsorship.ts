/** Prepares the owner's payment for a published bundle, on a quote that is proved anew; nothing is paid by that. */
import { Effect } from "effect"
import { Principal } from "../accounts/Principal.ts"
import { RpcUnavailable } from "../chain/refusals.ts"
import { DatabaseClock } from "../database/DatabaseClock.ts"
import { OutsidePayments } from "../dispatch/OutsidePayments.ts"
import { PAID_PERHAPS, SponsorshipConflict } from "../dispatch/refusals.ts"
import { createPlan } from "../plans/CreatePlan.ts"
import { Settings } from "../settings/Settings.ts"
import { checksummed } from "../values/Checksum.ts"
import { failpoint } from "../values/Failpoint.ts"
import type { Address } from "../values/Scalars.ts"
import { fundingDraft } from "./FundingPlan.ts"
import type { ProviderSilence } from "./PrepaidProvider.ts"
import { checkCurrent } from "./PublicationPreflight.ts"
import { stateOf } from "./PublicSponsorship.ts"
import {
  FundingBound,
  FundingChainUnavailable,
  FundingPayerMismatch,
  ProviderInvalidResponse,
  ProviderTimeout,
  ProviderUnavailable,
  QuoteExpired,
  QuoteOutlivesAuthorization,
  QuoteUnavailable,
  QuoteUnverified,
  SponsorshipUnavailable
} from "./refusals.ts"
import type { QuoteDoubt, SponsorshipStatus } from "./Sponsorship.ts"
import { type StoredSponsorship, shownPayments } from "./SponsorshipRow.ts"
import { SponsorshipStore } from "./SponsorshipStore.ts"
import { type LookedAt, verifyQuote } from "./VerifyQuote.ts"

export interface AskedFunding {
  readonly chainId: number
  readonly payer: Address
}

const MARGIN_MS = 30_000

const QUOTED = new Set<SponsorshipStatus>(["quote_unverified", "funding_quote_available", "quote_expired"])

const silent = (silence: Exclude<ProviderSilence, "unknown-bundle">) => {
  if (silence === "late") return new ProviderTimeout()
  return silence === "unavailable" ? new ProviderUnavailable() : new ProviderInvalidResponse()
}

const doubted = (reason: QuoteDoubt) => {
  if (reason === "chain-unreachable")
    return new RpcUnavailable({ detail: "The chain of a payment did not tell its payment contract's code." })
  if (reason === "payment-bound") return new FundingBound()
  return reason === "payment-deadline"
    ? new QuoteOutlivesAuthorization()
    : new QuoteUnverified({ context: { reason } })
}

const refuseDoubt = ({ doubt, silence }: LookedAt) => {
  if (silence !== undefined && silence !== "unknown-bundle") return Effect.fail(silent(silence))
  return doubt === undefined ? Effect.void : Effect.fail(doubted(doubt))
}

const refuseEnded = (stored: StoredSponsorship) => {
  const state = stateOf(stored)
  if (stored.funding?.admitted === true)
    return Effect.fail(new SponsorshipConflict({ context: { planId: stored.funding.planId } }))
  if (stored.isPaidPerhaps && QUOTED.has(state))
    return Effect.fail(new SponsorshipConflict({ detail: PAID_PERHAPS }))
  return QUOTED.has(state) ? Effect.void : Effect.fail(new QuoteUnavailable({ context: { state } }))
}

const refuseLate = Effect.fnUntraced(function* (deadline: number) {
  const now = yield* (yield* DatabaseClock).millis
  if (deadline * 1000 <= now + MARGIN_MS) return yield* new QuoteExpired({ context: { deadline } })
})

const draftFor = Effect.fnUntraced(function* (stored: StoredSponsorship, { chainId, payer }: AskedFunding) {
  const looked = yield* verifyQuote(stored)
  const { quote } = stored.publication ?? {}
  if (looked === undefined || !quote) return yield* new QuoteUnavailable()
  yield* refuseDoubt(looked)
  const payments = shownPayments(quote)
  const payment = payments.find(each => each.chainId === chainId)
  if (payment === undefined)
    return yield* new FundingChainUnavailable({ context: { chains: payments.map(each => each.chainId) } })
  yield* refuseLate(payment.deadline)
  yield* checkCurrent(stored.authorizations, payer)
  const { bundleId } = quote
  const draft = yield* fundingDraft(
    { sponsorshipId: stored.id, bundleId, quoteCommitment: looked.commitment ?? null },
    payment,
    payer
  )
  yield* (yield* OutsidePayments).refusePaid(draft)
  yield* refuseLate(payment.deadline)
  return draft
})

export const fundSponsorship = Effect.fn("FundSponsorship.fund")(function* (id: string, asked: AskedFunding) {
  const actor = yield* Principal
  const wallet = checksummed(actor.ownerAddress)
  const prepare = Effect.gen(function* () {
    const stored = yield* (yield* SponsorshipStore).find(id, actor)
    if (asked.payer !== wallet) return yield* new FundingPayerMismatch()
    if ((yield* Settings).sponsorship.providerUrl === undefined) return yield* new SponsorshipUnavailable()
    yield* refuseEnded(stored)
    return yield* draftFor(stored, asked)
  })
  return yield* Effect.zipLeft(createPlan(wallet, prepare), failpoint("sponsor.funded"))
})

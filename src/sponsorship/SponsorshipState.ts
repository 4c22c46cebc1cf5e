/** The state of a sponsorship: pure, from what is stored and the database's time. */
import { isSatisfied, type StepFacts } from "../plans/Step.ts"
import type { SponsorshipStatus } from "./Sponsorship.ts"

/** Another request was executed with its nonce. */
export const EXECUTION_NOT_OURS = "EXECUTION_NOT_OURS"
/** The same, for good. */
export const FORWARD_NONCE_CONSUMED = "FORWARD_NONCE_CONSUMED"
/** Its nonce is used at a final block, and no event says by which request: perhaps by itself, where its node tells of no logs. */
export const FORWARD_NONCE_PASSED = "FORWARD_NONCE_PASSED"

/** A payment that is due sooner is not to be begun. */
const PAYMENT_MARGIN_MS = 30_000

export interface PublicationFacts {
  readonly leaseEndsAt: number
  /** Null while nobody has stored one. */
  readonly outcome: "answered" | "unknown" | null
}

export interface QuoteFacts {
  readonly isProved: boolean
  /** Of its payments, in seconds. */
  readonly deadlines: ReadonlyArray<number>
}

/** Of a step that this sponsorship has. */
export interface SponsoredCall {
  readonly step: StepFacts
  /** The forwarder executed the request, and its call did not succeed: for good. */
  readonly isSpent: boolean
  /** It can never be executed any more. */
  readonly isDead: boolean
}

export interface SponsorshipFacts {
  readonly expiresAt: number
  readonly calls: ReadonlyArray<SponsoredCall>
  readonly publication: PublicationFacts | undefined
  readonly quote: QuoteFacts | undefined
  readonly isFunded: boolean
}

const hasReceipt = ({ step }: SponsoredCall): boolean => step.receipt?.canonical === true

/** Proved to be this very request's execution. */
const isExecuted = (call: SponsoredCall): boolean =>
  hasReceipt(call) &&
  call.step.observed === "confirmed" &&
  call.step.receipt?.status === "success" &&
  call.step.proof !== undefined

export const isTakenForGood = ({ semantic }: StepFacts): boolean =>
  semantic?.reason === FORWARD_NONCE_CONSUMED

const NONCE_REASONS: ReadonlyArray<string | undefined> = [
  EXECUTION_NOT_OURS,
  FORWARD_NONCE_PASSED,
  FORWARD_NONCE_CONSUMED
]

/** For good or not yet, as far as is seen. */
export const isTakenByOthers = ({ semantic }: StepFacts): boolean => NONCE_REASONS.includes(semantic?.reason)

export const hasEnded = (call: SponsoredCall): boolean => call.isDead || call.isSpent || isExecuted(call)

const hasFailed = (call: SponsoredCall): boolean =>
  call.isSpent || (isExecuted(call) && call.step.semantic?.status === "failed")

const isVerified = ({ step }: SponsoredCall): boolean =>
  isSatisfied(step) && step.semantic?.status === "verified" && step.proof !== undefined

const executed = ({ calls, isFunded }: SponsorshipFacts): SponsorshipStatus | undefined => {
  if (calls.every(isVerified)) return "completed"
  if (calls.some(hasFailed)) return "failed"
  if (calls.every(isExecuted)) return "execution_verified"
  if (calls.every(call => call.isDead || isExecuted(call))) return "lapsed"
  return isFunded || calls.some(hasReceipt) ? "executing" : undefined
}

const published = ({ leaseEndsAt, outcome }: PublicationFacts, now: number): SponsorshipStatus =>
  outcome === null && leaseEndsAt > now ? "submitting" : "submission_unknown"

const quoted = ({ isProved, deadlines }: QuoteFacts, now: number): SponsorshipStatus => {
  if (!isProved) return "quote_unverified"
  return deadlines.some(deadline => deadline * 1000 > now + PAYMENT_MARGIN_MS)
    ? "funding_quote_available"
    : "quote_expired"
}

/** The first that fits. */
export const sponsorshipState = (facts: SponsorshipFacts, now: number): SponsorshipStatus => {
  const { publication, quote, expiresAt } = facts
  const seen = executed(facts)
  if (seen !== undefined) return seen
  if (publication === undefined) return expiresAt > now ? "prepared" : "expired"
  return quote === undefined ? published(publication, now) : quoted(quote, now)
}

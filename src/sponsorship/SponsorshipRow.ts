/** Stored sponsorships, decoded once. */
import { Effect, Schema } from "effect"
import { factsFrom, planFromRow, StepRow, type StoredPlan } from "../plans/PlanRow.ts"
import { EMPTY_FACTS, type StepFacts } from "../plans/Step.ts"
import { rowDecoder } from "../values/Conforms.ts"
import { Bytes32, type Bytes32 as Hash } from "../values/Scalars.ts"
import type { SponsorshipTerms } from "./CommittedSponsorship.ts"
import { ProviderQuote } from "./ProviderQuote.ts"
import { Authorization, QuoteDoubt, type QuotedPayment, QuotedTransaction } from "./Sponsorship.ts"

const PublicationRow = Schema.Struct({
  submissionHash: Bytes32,
  startedAt: Schema.Number,
  leaseEndsAt: Schema.Number,
  outcome: Schema.NullOr(Schema.Literal("answered", "unknown")),
  settledAt: Schema.NullOr(Schema.Number),
  quote: Schema.NullOr(ProviderQuote),
  transactions: Schema.NullOr(Schema.Array(QuotedTransaction)),
  commitment: Schema.NullOr(Bytes32),
  verifiedAt: Schema.NullOr(Schema.Number),
  doubt: Schema.NullOr(QuoteDoubt)
})

/** The plan that pays, where one is open or was admitted. */
const FundingRow = Schema.Struct({
  planId: Schema.String,
  chainId: Schema.Number,
  admitted: Schema.Boolean,
  steps: Schema.Array(StepRow)
})

const SponsorshipRow = Schema.Struct({
  id: Schema.String,
  plan: Schema.String,
  principal: Schema.String,
  plan_commitment: Bytes32,
  plan_ends_at: Schema.Number,
  restored_at: Schema.NullOr(Schema.Number),
  commitment: Bytes32,
  authorizations: Schema.Array(Authorization),
  created_at: Schema.Number,
  expires_at: Schema.Number,
  revision: Schema.Number,
  now: Schema.Number,
  publication: Schema.NullOr(PublicationRow),
  is_paid_perhaps: Schema.Boolean,
  funding: Schema.NullOr(FundingRow),
  steps: Schema.Array(StepRow)
})

export type StoredPublication = typeof PublicationRow.Type

export interface StoredFunding {
  readonly planId: string
  readonly chainId: number
  readonly admitted: boolean
  /** Of its one step. */
  readonly facts: StepFacts
}

export interface StoredSponsorship extends SponsorshipTerms {
  readonly id: string
  readonly principalId: string
  readonly planCommitment: Hash
  readonly commitment: Hash
  readonly createdAt: number
  /** With its plan, which may have been ended before its time. */
  readonly endsAt: number
  /** The database was restored since the plan was made, and what was published in between is not known. */
  readonly isRestored: boolean
  readonly revision: number
  /** The database's time when the row was read. */
  readonly now: number
  readonly publication: StoredPublication | undefined
  /** It was published before the database was restored, which knows nothing of what was paid since. */
  readonly isPaidPerhaps: boolean
  readonly funding: StoredFunding | undefined
  /** Of all steps of the plan. */
  readonly facts: ReadonlyArray<StepFacts>
}

const decode = rowDecoder(SponsorshipRow)

const fundingFrom = ({ planId, chainId, admitted, steps }: typeof FundingRow.Type): StoredFunding => {
  const [step] = steps
  return { planId, chainId, admitted, facts: step === undefined ? EMPTY_FACTS : factsFrom(step) }
}

/** What its payments are to clients. */
export const shownPayments = ({ payments }: ProviderQuote): ReadonlyArray<QuotedPayment> =>
  payments.map(({ chainId, to, data, value, deadline }) => ({ chainId, to, data, value, deadline }))

export const sponsorshipFromRow = (row: unknown): Effect.Effect<StoredSponsorship> =>
  Effect.map(Effect.orDie(decode(row)), stored => ({
    id: stored.id,
    planId: stored.plan,
    principalId: stored.principal,
    planCommitment: stored.plan_commitment,
    commitment: stored.commitment,
    authorizations: stored.authorizations,
    createdAt: stored.created_at,
    publicationExpiresAt: stored.expires_at,
    endsAt: Math.min(stored.expires_at, stored.plan_ends_at),
    isRestored: stored.restored_at !== null,
    revision: stored.revision,
    now: stored.now,
    publication: stored.publication ?? undefined,
    isPaidPerhaps: stored.is_paid_perhaps,
    funding: stored.funding === null ? undefined : fundingFrom(stored.funding),
    facts: stored.steps.map(factsFrom)
  }))

export interface PlannedSponsorship {
  readonly stored: StoredSponsorship
  readonly plan: StoredPlan
}

const decodeMoved = rowDecoder(
  Schema.Struct({
    plan_created_at: Schema.Number,
    plan_expires_at: Schema.Number,
    plan_revision: Schema.Number
  })
)

/** Of a row that has the plan's own columns too. */
export const withPlanFromRow = Effect.fnUntraced(function* (row: object) {
  const stored = yield* sponsorshipFromRow(row)
  const moved = yield* Effect.orDie(decodeMoved(row))
  const plan = yield* planFromRow({
    ...row,
    id: stored.planId,
    commitment: stored.planCommitment,
    created_at: moved.plan_created_at,
    expires_at: moved.plan_expires_at,
    revision: moved.plan_revision
  })
  const planned: PlannedSponsorship = { stored, plan }
  return planned
})

/** What a publication's settling changes of its sponsorship. */
export type SettledPublication = Pick<StoredSponsorship, "revision" | "now" | "publication" | "facts">

const decodeSettled = rowDecoder(
  Schema.Struct({
    revision: Schema.Number,
    now: Schema.Number,
    publication: PublicationRow,
    steps: Schema.Array(StepRow)
  })
)

export const settledFromRow = (row: unknown): Effect.Effect<SettledPublication> =>
  Effect.map(Effect.orDie(decodeSettled(row)), ({ steps, ...settled }) => ({
    ...settled,
    facts: steps.map(factsFrom)
  }))

/** Stored sponsorships, decoded once. */
import { Effect, Schema } from "effect"
import { factsFrom, StepRow } from "../plans/PlanRow.ts"
import type { StepFacts } from "../plans/Step.ts"
import { rowDecoder } from "../values/Conforms.ts"
import { Bytes32, type Bytes32 as Hash } from "../values/Scalars.ts"
import type { SponsorshipTerms } from "./CommittedSponsorship.ts"
import { ProviderQuote } from "./ProviderQuote.ts"
import { Authorization } from "./Sponsorship.ts"

const PublicationRow = Schema.Struct({
  submissionHash: Bytes32,
  startedAt: Schema.Number,
  leaseEndsAt: Schema.Number,
  outcome: Schema.NullOr(Schema.Literal("answered", "unknown")),
  settledAt: Schema.NullOr(Schema.Number),
  quote: Schema.NullOr(ProviderQuote)
})

const SponsorshipRow = Schema.Struct({
  id: Schema.String,
  plan: Schema.String,
  principal: Schema.String,
  plan_commitment: Bytes32,
  commitment: Bytes32,
  authorizations: Schema.Array(Authorization),
  created_at: Schema.Number,
  expires_at: Schema.Number,
  revision: Schema.Number,
  now: Schema.Number,
  publication: Schema.NullOr(PublicationRow),
  steps: Schema.Array(StepRow)
})

export type StoredPublication = typeof PublicationRow.Type

export interface StoredSponsorship extends SponsorshipTerms {
  readonly id: string
  readonly principalId: string
  readonly planCommitment: Hash
  readonly commitment: Hash
  readonly createdAt: number
  readonly revision: number
  /** The database's time when the row was read. */
  readonly now: number
  readonly publication: StoredPublication | undefined
  /** Of all steps of the plan. */
  readonly facts: ReadonlyArray<StepFacts>
}

const decode = rowDecoder(SponsorshipRow)

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
    revision: stored.revision,
    now: stored.now,
    publication: stored.publication ?? undefined,
    facts: stored.steps.map(factsFrom)
  }))

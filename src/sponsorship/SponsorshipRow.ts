/** Stored sponsorships, decoded once, and the public record that follows from them. */
import { Effect, Schema } from "effect"
import { factsFrom, StepRow } from "../plans/PlanRow.ts"
import { EMPTY_FACTS, type StepFacts } from "../plans/Step.ts"
import { rowDecoder } from "../values/Conforms.ts"
import { forwardRequestDigest, forwardRequestMembers } from "../values/ForwardRequest.ts"
import { Bytes32, type Bytes32 as Hash } from "../values/Scalars.ts"
import type { SponsorshipTerms } from "./CommittedSponsorship.ts"
import { Authorization, type NextAction, type Sponsorship, type SponsorshipStatus } from "./Sponsorship.ts"
import { sponsorshipState } from "./SponsorshipState.ts"

const SponsorshipRow = Schema.Struct({
  id: Schema.String,
  plan: Schema.String,
  plan_commitment: Bytes32,
  commitment: Bytes32,
  authorizations: Schema.Array(Authorization),
  created_at: Schema.Number,
  expires_at: Schema.Number,
  revision: Schema.Number,
  now: Schema.Number,
  steps: Schema.Array(StepRow)
})

export interface StoredSponsorship extends SponsorshipTerms {
  readonly id: string
  readonly planCommitment: Hash
  readonly commitment: Hash
  readonly createdAt: number
  readonly revision: number
  /** The database's time when the row was read. */
  readonly now: number
  /** Of all steps of the plan. */
  readonly facts: ReadonlyArray<StepFacts>
}

const decode = rowDecoder(SponsorshipRow)

export const sponsorshipFromRow = (row: unknown): Effect.Effect<StoredSponsorship> =>
  Effect.map(Effect.orDie(decode(row)), stored => ({
    id: stored.id,
    planId: stored.plan,
    planCommitment: stored.plan_commitment,
    commitment: stored.commitment,
    authorizations: stored.authorizations,
    createdAt: stored.created_at,
    publicationExpiresAt: stored.expires_at,
    revision: stored.revision,
    now: stored.now,
    facts: stored.steps.map(factsFrom)
  }))

/** What became of a step that left by another way is nothing of this record's. */
const ownFacts = ({ id, facts }: StoredSponsorship, stepIndex: number): StepFacts => {
  const step = facts[stepIndex] ?? EMPTY_FACTS
  return step.binding?.bindingId === id ? step : EMPTY_FACTS
}

const stateOf = (stored: StoredSponsorship): SponsorshipStatus =>
  sponsorshipState(
    {
      expiresAt: stored.publicationExpiresAt,
      calls: stored.authorizations.map(({ stepIndex }) => ({
        step: ownFacts(stored, stepIndex),
        isSpent: false,
        isDead: false
      })),
      publication: undefined,
      quote: undefined,
      isFunded: false
    },
    stored.now
  )

const NEXT: Readonly<Record<SponsorshipStatus, NextAction>> = {
  completed: { kind: "none" },
  execution_verified: { kind: "none" },
  failed: { kind: "none" },
  lapsed: { kind: "prepare-again", reason: "what was not executed can be no more" },
  executing: { kind: "wait" },
  prepared: { kind: "sign" },
  expired: { kind: "prepare-again", reason: "the plan expired before it was published" },
  submitting: { kind: "wait" },
  submission_unknown: { kind: "wait" },
  quote_unverified: { kind: "wait" },
  funding_quote_available: { kind: "fund" },
  quote_expired: { kind: "wait" }
}

const shownAuthorization = (authorization: Authorization) => ({
  ...authorization,
  types: { ForwardRequest: forwardRequestMembers },
  primaryType: "ForwardRequest" as const,
  digest: forwardRequestDigest(authorization.domain, authorization.message)
})

export const publicSponsorship = (stored: StoredSponsorship): Sponsorship => {
  const { id, planId, planCommitment, commitment, createdAt, publicationExpiresAt, revision } = stored
  const state = stateOf(stored)
  return {
    ...{ id, planId, planCommitment, commitment, state, createdAt, publicationExpiresAt, revision },
    authorizations: stored.authorizations.map(shownAuthorization),
    nextAction: NEXT[state],
    atomicAcrossChains: false
  }
}

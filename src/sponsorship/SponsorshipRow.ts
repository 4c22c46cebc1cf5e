/** Stored sponsorships, decoded once, and the public record that follows from them. */
import { Effect, Schema } from "effect"
import { factsFrom, StepRow } from "../plans/PlanRow.ts"
import { EMPTY_FACTS, type StepFacts } from "../plans/Step.ts"
import { rowDecoder } from "../values/Conforms.ts"
import { forwardRequestDigest, forwardRequestMembers } from "../values/ForwardRequest.ts"
import { Bytes32, type Bytes32 as Hash } from "../values/Scalars.ts"
import type { SponsorshipTerms } from "./CommittedSponsorship.ts"
import { ProviderQuote } from "./ProviderQuote.ts"
import { Authorization, type NextAction, type Sponsorship, type SponsorshipStatus } from "./Sponsorship.ts"
import { sponsorshipState } from "./SponsorshipState.ts"

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

export interface StoredSponsorship extends SponsorshipTerms {
  readonly id: string
  readonly principalId: string
  readonly planCommitment: Hash
  readonly commitment: Hash
  readonly createdAt: number
  readonly revision: number
  /** The database's time when the row was read. */
  readonly now: number
  readonly publication: typeof PublicationRow.Type | undefined
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
      publication: stored.publication,
      quote: stored.publication?.quote == null ? undefined : { isProved: false, deadlines: [] },
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

const shownSubmission = ({ submissionHash, startedAt }: typeof PublicationRow.Type) => ({
  submission: { hash: submissionHash, startedAt, repeatPublicationAllowed: false as const }
})

/** What the provider asks for stays hidden until it is proved to be for this bundle. */
const shownQuote = ({ quote, settledAt }: typeof PublicationRow.Type) =>
  quote === null || settledAt === null
    ? {}
    : { quote: { bundleId: quote.bundleId, observedAt: settledAt, runtimeVerified: false as const } }

const UNKNOWN =
  "Whether the provider took the requests is not known. They are never published again; their execution shows on their chains."

export const publicSponsorship = (stored: StoredSponsorship): Sponsorship => {
  const { id, planId, planCommitment, commitment, createdAt, publicationExpiresAt, revision } = stored
  const { publication } = stored
  const state = stateOf(stored)
  return {
    ...{ id, planId, planCommitment, commitment, state, createdAt, publicationExpiresAt, revision },
    authorizations: stored.authorizations.map(shownAuthorization),
    ...(publication === undefined ? {} : { ...shownSubmission(publication), ...shownQuote(publication) }),
    ...(state === "submission_unknown" ? { recovery: UNKNOWN } : {}),
    nextAction: NEXT[state],
    atomicAcrossChains: false
  }
}

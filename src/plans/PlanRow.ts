/** Stored plans, decoded once, and the public record that follows from them. */
import { Effect, Schema } from "effect"
import { rowDecoder } from "../values/Conforms.ts"
import { Bytes32 } from "../values/Scalars.ts"
import { Binding } from "./Binding.ts"
import {
  CONFIRMATION_SCOPE,
  COST_SCOPE,
  ExecutionProof,
  type Plan,
  PlanTerms,
  Semantic,
  StoredReceipt
} from "./Plan.ts"
import { planStatus } from "./PlanStatus.ts"
import { EMPTY_FACTS, publicStep, type StepFacts } from "./Step.ts"
import { StepRevert } from "./StepRevert.ts"

const LeaseRow = Schema.Struct({
  hash: Bytes32,
  count: Schema.Number,
  reservedAt: Schema.Number,
  expiresAt: Schema.Number,
  outcome: Schema.NullOr(Schema.Literal("submitted", "already-observed", "unknown")),
  broadcastAt: Schema.NullOr(Schema.Number)
})

const SightsRow = Schema.Struct({ count: Schema.Number, at: Schema.Number })

export const StepRow = Schema.Struct({
  observed: Schema.NullOr(
    Schema.Literal("submitted", "unknown", "confirming", "confirmed", "reverted", "reorged")
  ),
  receipt: Schema.NullOr(StoredReceipt),
  semantic: Schema.NullOr(Semantic),
  revert: Schema.NullOr(StepRevert),
  proof: Schema.NullOr(ExecutionProof),
  sights: Schema.NullOr(SightsRow),
  binding: Schema.NullOr(Binding),
  lease: Schema.NullOr(LeaseRow)
})

export const Terms = Schema.Struct(PlanTerms)
export type Terms = typeof Terms.Type

const PlanRow = Schema.Struct({
  id: Schema.String,
  account_id: Schema.String,
  principal: Schema.String,
  terms: Terms,
  commitment: Bytes32,
  created_at: Schema.Number,
  expires_at: Schema.Number,
  committed_until: Schema.NullOr(Schema.Number),
  restored_at: Schema.NullOr(Schema.Number),
  revision: Schema.Number,
  now: Schema.Number,
  watched: Schema.Boolean,
  steps: Schema.Array(StepRow)
})

export interface StoredPlan {
  readonly id: string
  readonly accountId: string
  readonly principalId: string
  readonly terms: Terms
  readonly commitment: Bytes32
  readonly createdAt: number
  readonly expiresAt: number
  /** What its commitment says, where it was ended before. */
  readonly committedUntil?: number | undefined
  /** When the database was restored after the plan was made, which may have lost what became of it. */
  readonly restoredAt?: number | undefined
  readonly revision: number
  /** The database's time when the row was read. */
  readonly now: number
  /** Whether recovery still looks at it. */
  readonly watched: boolean
  readonly facts: ReadonlyArray<StepFacts>
}

const decode = rowDecoder(PlanRow)

export const factsFrom = ({
  observed,
  receipt,
  semantic,
  revert,
  proof,
  sights,
  binding,
  lease
}: typeof StepRow.Type): StepFacts => ({
  observed: observed ?? undefined,
  receipt: receipt ?? undefined,
  semantic: semantic ?? undefined,
  revert: revert ?? undefined,
  proof: proof ?? undefined,
  sights: sights ?? undefined,
  binding: binding ?? undefined,
  lease: lease ?? undefined
})

export const planFromRow = (row: unknown): Effect.Effect<StoredPlan> =>
  Effect.map(Effect.orDie(decode(row)), stored => ({
    id: stored.id,
    accountId: stored.account_id,
    principalId: stored.principal,
    terms: stored.terms,
    commitment: stored.commitment,
    createdAt: stored.created_at,
    expiresAt: stored.expires_at,
    committedUntil: stored.committed_until ?? undefined,
    restoredAt: stored.restored_at ?? undefined,
    revision: stored.revision,
    now: stored.now,
    watched: stored.watched,
    facts: stored.steps.map(factsFrom)
  }))

export const factsOf = (plan: StoredPlan, step: number): StepFacts => plan.facts[step] ?? EMPTY_FACTS

export const publicPlan = (stored: StoredPlan): Plan => {
  const { terms, facts, now, restoredAt } = stored
  const steps = terms.calls.map((_, index) => publicStep(index, terms.calls, facts, now))
  return {
    id: stored.id,
    ...terms,
    commitment: stored.commitment,
    createdAt: stored.createdAt,
    expiresAt: stored.committedUntil ?? stored.expiresAt,
    ...(restoredAt !== undefined && facts.some(({ binding }) => binding === undefined) && { restoredAt }),
    revision: stored.revision,
    status: planStatus(steps, facts, stored.expiresAt, now),
    steps,
    costScope: COST_SCOPE,
    confirmationScope: CONFIRMATION_SCOPE
  }
}

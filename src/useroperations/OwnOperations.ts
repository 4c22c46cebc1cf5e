/** What callers send. */
import { Effect, Option, Schema } from "effect"
import type { KeyOutcome, RequestKey } from "../auth/Idempotency.ts"
import { ownRecords } from "../plans/OwnRecords.ts"
import { planFromRow, type StoredPlan } from "../plans/PlanRow.ts"
import { rowDecoder } from "../values/Conforms.ts"
import { PLANNED_OPERATIONS } from "./OperationRecords.ts"
import { UserOperationNotFound } from "./refusals.ts"
import { type StoredUserOperation, userOperationFromRow } from "./UserOperationRow.ts"

const OWN = `SELECT ${PLANNED_OPERATIONS}
WHERE o.id = q.record AND o.principal = q.principal AND p.account_id = q.account`

export interface OwnOperation {
  readonly stored: StoredUserOperation
  readonly plan: StoredPlan
  readonly outcome: Option.Option<KeyOutcome>
}

const decodeMoved = rowDecoder(
  Schema.Struct({
    plan_terms: Schema.Unknown,
    plan_principal: Schema.String,
    plan_created_at: Schema.Number,
    plan_expires_at: Schema.Number,
    plan_revision: Schema.Number,
    step_facts: Schema.Unknown
  })
)

/** Of a row that has the operation's own columns too. */
const planOf = Effect.fnUntraced(function* (row: object, { planId, planCommitment }: StoredUserOperation) {
  const moved = yield* Effect.orDie(decodeMoved(row))
  return yield* planFromRow({
    ...row,
    id: planId,
    principal: moved.plan_principal,
    terms: moved.plan_terms,
    commitment: planCommitment,
    created_at: moved.plan_created_at,
    expires_at: moved.plan_expires_at,
    revision: moved.plan_revision,
    steps: moved.step_facts
  })
})

export const ownUserOperations = Effect.map(ownRecords(OWN), find =>
  Effect.fnUntraced(function* (id: string, key: RequestKey) {
    const { row, outcome } = yield* find(id, key)
    if (Option.isNone(row)) return yield* new UserOperationNotFound()
    const stored = yield* userOperationFromRow(row.value)
    const found: OwnOperation = { stored, plan: yield* planOf(row.value, stored), outcome }
    return found
  })
)

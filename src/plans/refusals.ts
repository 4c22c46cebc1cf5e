import { Refusal } from "../values/Refusal.ts"

export class InvalidPlan extends Refusal("INVALID_PLAN") {}
export class InvalidPlanCall extends Refusal("INVALID_PLAN_CALL") {}
export class InvalidPlanEvidence extends Refusal("INVALID_PLAN_EVIDENCE") {}
export class PlanAccountMismatch extends Refusal("PLAN_ACCOUNT_MISMATCH") {}
export class PlanTooLarge extends Refusal("PLAN_TOO_LARGE") {}
export class PlanNotFound extends Refusal("PLAN_NOT_FOUND") {}
export class StepNotFound extends Refusal("STEP_NOT_FOUND") {}
export class PlanExpired extends Refusal("PLAN_EXPIRED") {}

const RESTORED =
  "This service was restored from a backup after the plan was made, and whether it left in between is not known here: look on the chain first for what was sent of it, which is still taken up by its very bytes or signatures. Only what did not leave needs a new plan."

/** Of a plan from before a restoration nobody is told to prepare another one. */
export const planOver = (
  { restoredAt }: { readonly restoredAt?: number | undefined },
  detail?: string
): PlanExpired =>
  restoredAt === undefined
    ? new PlanExpired(detail === undefined ? {} : { detail })
    : new PlanExpired({ detail: RESTORED, context: { restoredAt } })

export class PlanEvidenceReorged extends Refusal("PLAN_EVIDENCE_REORGED") {}
export class DependenciesUnconfirmed extends Refusal("DEPENDENCIES_UNCONFIRMED") {}
export class ConcurrentUpdate extends Refusal("CONCURRENT_UPDATE") {}
export class SimulationReverted extends Refusal("SIMULATION_REVERTED") {}
export class SimulationReorged extends Refusal("SIMULATION_REORGED") {}
export class InvalidPlanCursor extends Refusal("INVALID_PARAMETER") {}
export class PlanStorageLimit extends Refusal("STORAGE_LIMIT") {}

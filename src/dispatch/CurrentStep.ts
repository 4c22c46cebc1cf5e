/** How a step stands that is asked to leave: in hand already, stale, or free to go as far as its plan tells. */
import { Effect } from "effect"
import { factsOf, type StoredPlan } from "../plans/PlanRow.ts"
import { PlanStore } from "../plans/PlanStore.ts"
import { DependenciesUnconfirmed, planOver } from "../plans/refusals.ts"
import { blockersOf, claimStatus } from "../plans/Step.ts"
import { failpoint } from "../values/Failpoint.ts"
import type { Submission } from "./ClaimStore.ts"
import { refresh } from "./Reconcile.ts"
import { StepStateUncertain } from "./refusals.ts"
import { seenHere } from "./SeenHere.ts"

/** A live claim, or one whose outcome is known and recent, is answered as it is. */
export const isInHand = (plan: StoredPlan, step: number): boolean => {
  const { lease } = factsOf(plan, step)
  return lease !== undefined && lease.expiresAt > plan.now && claimStatus(lease, plan.now) !== "unknown"
}

/** Dependencies and an own receipt are looked at anew, because what was confirmed may have left the chain since. */
const currentPlan = Effect.fnUntraced(function* (plan: StoredPlan, { actor, call, step }: Submission) {
  if (call.dependsOn.length === 0 && factsOf(plan, step).receipt === undefined) return plan
  yield* refresh(plan.id)
  yield* failpoint("dispatch.refreshed")
  const current = yield* seenHere(yield* (yield* PlanStore).find(plan.id, actor))
  yield* failpoint("dispatch.planRead")
  return current
})

const refuseStale = Effect.fnUntraced(function* (plan: StoredPlan, { step, call }: Submission) {
  const { observed, binding } = factsOf(plan, step)
  if (observed === "confirmed" || observed === "reverted") return yield* new StepStateUncertain()
  if (binding === undefined && plan.expiresAt <= plan.now) return yield* planOver(plan)
  const blockedBy = blockersOf(call, plan.terms.calls, plan.facts)
  if (blockedBy.length > 0) return yield* new DependenciesUnconfirmed({ context: { blockedBy } })
})

/** The plan by which the step may go, as far as that tells. */
export const free = Effect.fnUntraced(function* (stored: StoredPlan, submission: Submission) {
  const plan = yield* currentPlan(stored, submission)
  yield* refuseStale(plan, submission)
  yield* failpoint("dispatch.current")
  return plan
})

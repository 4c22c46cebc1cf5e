/** What a submission is told of its step, once that is admitted. */
import { Effect, Option } from "effect"
import type { Actor } from "../accounts/Principal.ts"
import type { Dispatch, Plan } from "../plans/Plan.ts"
import { factsOf, publicPlan, type StoredPlan } from "../plans/PlanRow.ts"
import { PlanStore } from "../plans/PlanStore.ts"
import { claimStatus, isLost } from "../plans/Step.ts"
import { failpoint } from "../values/Failpoint.ts"

export interface Submitted {
  readonly plan: Plan
  readonly dispatch: Dispatch
  /** Somebody may be sending it at this moment. */
  readonly isLeaving: boolean
  /** Its chain was looked at since, and does not show it. */
  readonly isLost: boolean
  readonly replayed: boolean
}

export const isLeaving = (plan: StoredPlan, step: number): boolean => {
  const { lease } = factsOf(plan, step)
  return lease !== undefined && claimStatus(lease, plan.now) === "in-flight"
}

export const submittedOf = (
  stored: StoredPlan,
  step: number,
  replayed: boolean
): Effect.Effect<Submitted> => {
  const plan = publicPlan(stored)
  const dispatch = plan.steps[step]?.dispatch
  return dispatch === undefined
    ? Effect.dieMessage("an admitted step has no dispatch")
    : Effect.succeed({
        plan,
        dispatch,
        isLeaving: isLeaving(stored, step),
        isLost: isLost(factsOf(stored, step)),
        replayed
      })
}

/** What is stored of an admitted step, unless its settling has just shown that. */
export const answerStep = Effect.fnUntraced(function* (
  actor: Actor,
  planId: string,
  step: number,
  replayed: boolean,
  settled: Option.Option<StoredPlan> = Option.none()
) {
  yield* failpoint("answer.begun")
  const plan = Option.isSome(settled) ? settled.value : yield* (yield* PlanStore).find(planId, actor)
  yield* failpoint("answer.read")
  return yield* submittedOf(plan, step, replayed)
})

/** The steps of a plan that one operation is to execute together, which may wait for each other and for nothing else. */
import { Effect } from "effect"
import { checkBinding } from "../dispatch/BoundStep.ts"
import { factsOf, type StoredPlan } from "../plans/PlanRow.ts"
import { DependenciesUnconfirmed, planOver, StepNotFound } from "../plans/refusals.ts"
import { blockersOf } from "../plans/Step.ts"
import { OPERATED } from "./CommittedOperation.ts"

const checkedCall = Effect.fnUntraced(function* (
  plan: StoredPlan,
  stepIndex: number,
  together: ReadonlyArray<number>
) {
  const call = plan.terms.calls[stepIndex]
  if (call === undefined) return yield* new StepNotFound({ context: { stepIndex } })
  yield* checkBinding(factsOf(plan, stepIndex), { transport: OPERATED, hash: undefined })
  const blockers = blockersOf(call, plan.terms.calls, plan.facts).filter(index => !together.includes(index))
  if (blockers.length > 0)
    return yield* new DependenciesUnconfirmed({ context: { stepIndex, blockedBy: blockers } })
  return call
})

export const operationCalls = Effect.fnUntraced(function* (
  plan: StoredPlan,
  stepIndexes: ReadonlyArray<number>
) {
  if (plan.expiresAt <= plan.now) return yield* planOver(plan)
  return yield* Effect.forEach(stepIndexes, stepIndex => checkedCall(plan, stepIndex, stepIndexes))
})

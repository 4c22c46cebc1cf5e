/** The steps of a plan that are to be sponsored: those that were asked for, or every one that may go. */
import { Effect } from "effect"
import { checkBinding } from "../dispatch/BoundStep.ts"
import type { Call } from "../plans/Plan.ts"
import { factsOf, type StoredPlan } from "../plans/PlanRow.ts"
import { DependenciesUnconfirmed, planOver, StepNotFound } from "../plans/refusals.ts"
import { blockersOf } from "../plans/Step.ts"
import { SPONSORED } from "./CommittedSponsorship.ts"

export interface SponsoredStep {
  readonly stepIndex: number
  readonly call: Call
}

const blockedBy = ({ terms, facts }: StoredPlan, call: Call) => blockersOf(call, terms.calls, facts)

const checked = Effect.fnUntraced(function* (plan: StoredPlan, stepIndex: number) {
  const call = plan.terms.calls[stepIndex]
  if (call === undefined) return yield* new StepNotFound({ context: { stepIndex } })
  yield* checkBinding(factsOf(plan, stepIndex), { transport: SPONSORED, hash: undefined })
  const blockers = blockedBy(plan, call)
  if (blockers.length > 0)
    return yield* new DependenciesUnconfirmed({ context: { stepIndex, blockedBy: blockers } })
  const step: SponsoredStep = { stepIndex, call }
  return step
})

const isReady = (plan: StoredPlan, call: Call, stepIndex: number): boolean =>
  factsOf(plan, stepIndex).binding === undefined && blockedBy(plan, call).length === 0

/** Where none is ready, the first says why. */
export const sponsoredSteps = Effect.fnUntraced(function* (
  plan: StoredPlan,
  asked: ReadonlyArray<number> | undefined
) {
  if (plan.expiresAt <= plan.now) return yield* planOver(plan)
  const all = plan.terms.calls.map((_, stepIndex) => stepIndex)
  const ready = plan.terms.calls.flatMap((call, stepIndex) =>
    isReady(plan, call, stepIndex) ? [stepIndex] : []
  )
  const chosen = asked ?? (ready.length > 0 ? ready : all)
  return yield* Effect.forEach(
    chosen.toSorted((a, b) => a - b),
    stepIndex => checked(plan, stepIndex)
  )
})

/** By whose facts of a plan the dependencies of its steps were judged, so that a claim can refuse what it was not judged by. */
import { Effect } from "effect"
import type { Actor } from "../accounts/Principal.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import { PlanStore } from "../plans/PlanStore.ts"
import type { PlanNotFound } from "../plans/refusals.ts"
import { blockersOf } from "../plans/Step.ts"
import type { AnyRefusal } from "../values/Refusal.ts"

/** Null where there are none: then they are blocked by nothing, whatever becomes of the plan meanwhile. */
export interface JudgedDependencies {
  readonly revision: number | null
  readonly blockedBy: ReadonlyArray<number>
}

const ATTEMPTS = 5

const callsOf = ({ terms }: StoredPlan, steps: ReadonlyArray<number>) =>
  steps.flatMap(step => terms.calls[step] ?? [])

export const haveDependencies = (plan: StoredPlan, steps: ReadonlyArray<number>): boolean =>
  callsOf(plan, steps).some(({ dependsOn }) => dependsOn.length > 0)

/** Those that leave together, where they do, do not block each other. */
export const judgedDependencies = (
  plan: StoredPlan,
  steps: ReadonlyArray<number>,
  together: ReadonlyArray<number> = []
): JudgedDependencies => {
  const { facts, terms } = plan
  const blockedBy = callsOf(plan, steps).flatMap(call => blockersOf(call, terms.calls, facts))
  return {
    revision: haveDependencies(plan, steps) ? plan.revision : null,
    blockedBy: blockedBy.filter(step => !together.includes(step))
  }
}

/** Judges by the plan as it is when it was not as it had been judged. */
export const claimJudged = <A, E extends AnyRefusal, R>(
  judged: StoredPlan,
  actor: Actor,
  claim: (plan: StoredPlan) => Effect.Effect<A, E, R>
) =>
  Effect.flatMap(PlanStore, plans => {
    const attempt = (
      plan: StoredPlan,
      left: number
    ): Effect.Effect<A, E | PlanNotFound | DatabaseUnavailable, R> =>
      Effect.catchAll(claim(plan), refused =>
        refused._tag === "CONCURRENT_UPDATE" && left > 1
          ? Effect.flatMap(plans.find(plan.id, actor), current => attempt(current, left - 1))
          : Effect.fail(refused)
      )
    return attempt(judged, ATTEMPTS)
  })

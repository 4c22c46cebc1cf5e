/** What is stored of a chain that is not served here stays as it is, for those that serve it; nobody goes by it here, where it was not looked at. */
import { Effect } from "effect"
import { ChainClient } from "../chain/ChainClient.ts"
import { next } from "../plans/Observation.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import type { StepFacts } from "../plans/Step.ts"

export const factsSeenHere = Effect.fnUntraced(function* (
  facts: ReadonlyArray<StepFacts>,
  chainIdOf: (step: number) => number | undefined
) {
  const chains = yield* ChainClient
  const chainIds = [...new Set(facts.flatMap((_, step) => chainIdOf(step) ?? []))]
  const unserved = yield* Effect.filter(chainIds, chainId => Effect.isFailure(chains.chain(chainId)))
  return facts.map((each, step) =>
    unserved.includes(chainIdOf(step) ?? 0) ? next(each, { _tag: "Unreadable" }) : each
  )
})

export const seenHere = (plan: StoredPlan) =>
  Effect.map(
    factsSeenHere(plan.facts, step => plan.terms.calls[step]?.chainId),
    (facts): StoredPlan => ({ ...plan, facts })
  )

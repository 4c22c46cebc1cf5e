/** A look at a plan that began before something happened to it, and is kept after that as if nothing were left to look at. */
import { Effect } from "effect"
import type { DatabaseUnavailable } from "../../src/database/refusals.ts"
import { PlanStore } from "../../src/plans/PlanStore.ts"

export const NO_BLOCK = { chainId: 31_337, number: 0n, hash: `0x${"00".repeat(32)}` } as const

/** The plans of which it was kept. */
export const keptAfter = <R>(planId: string, happens: Effect.Effect<unknown, DatabaseUnavailable, R>) =>
  Effect.gen(function* () {
    const store = yield* PlanStore
    const plan = yield* store.load(planId)
    yield* happens
    return yield* store.saveAll([{ plan, facts: plan.facts, sweepInMs: null }])
  })

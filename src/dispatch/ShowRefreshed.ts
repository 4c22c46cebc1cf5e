/** Shows a plan as its chains have it now; only a principal that may see it makes the service look at them. */
import { Effect } from "effect"
import { Principal } from "../accounts/Principal.ts"
import { publicPlan } from "../plans/PlanRow.ts"
import { PlanStore } from "../plans/PlanStore.ts"
import { refreshPlan } from "./Reconcile.ts"

export const showRefreshed = Effect.fn("ShowRefreshed.show")(function* (id: string) {
  const plan = yield* (yield* PlanStore).find(id, yield* Principal)
  return publicPlan(yield* refreshPlan(plan))
})

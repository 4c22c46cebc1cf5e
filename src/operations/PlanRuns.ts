/** What the registered plan operations do; each has its line in PlanRegister.ts too. */
import type { PlanOperation } from "./framework/DefinePlan.ts"
import type { RegisteredPlanId } from "./PlanRegister.ts"
import { runPreparePayout } from "./quotes/PreparePayout.ts"

export const planRuns = {
  prepare_payout: runPreparePayout
} as const satisfies { readonly [Id in RegisteredPlanId]: PlanOperation<unknown> }

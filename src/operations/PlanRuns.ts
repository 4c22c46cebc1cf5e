/** What the registered plan operations do; each has its line in PlanRegister.ts too. */
import type { PlanOperation } from "./framework/DefinePlan.ts"
import type { RegisteredPlanId } from "./PlanRegister.ts"
import { runPreparePayout } from "./quotes/PreparePayout.ts"
import { runPrepareLaunch } from "./rulesets/PrepareLaunch.ts"
import { runPrepareRulesetChange } from "./rulesets/PrepareRulesetChange.ts"

export const planRuns = {
  prepare_payout: runPreparePayout,
  prepare_ruleset_change: runPrepareRulesetChange,
  prepare_launch: runPrepareLaunch
} as const satisfies { readonly [Id in RegisteredPlanId]: PlanOperation<unknown> }

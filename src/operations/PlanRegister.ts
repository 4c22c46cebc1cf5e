/**
 * The operations that are prepared as plans, as they are declared. `declarePlan` stands in a file free of services
 * and gives id, input (from inputs/Plans.ts), the operation's own members of the summary and problems;
 * `definePlan(declared, run)` stands in another, with its line in PlanRuns.ts. Titles are in framework/Words.ts.
 */
import { preparePayout } from "./quotes/PlanDeclarations.ts"
import { prepareLaunch, prepareRulesetChange } from "./rulesets/Declarations.ts"

/** By reference: written out, the types of all schemas together are more than a declaration file holds. */
export interface PlanRegister {
  readonly prepare_payout: typeof preparePayout
  readonly prepare_ruleset_change: typeof prepareRulesetChange
  readonly prepare_launch: typeof prepareLaunch
}

export const planRegister: PlanRegister = {
  prepare_payout: preparePayout,
  prepare_ruleset_change: prepareRulesetChange,
  prepare_launch: prepareLaunch
}

export type RegisteredPlanId = keyof PlanRegister

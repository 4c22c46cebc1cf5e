/**
 * The operations that are prepared as plans, as they are declared. `declarePlan` stands in a file free of services
 * and gives id, input (from inputs/Plans.ts), the operation's own members of the summary and problems;
 * `definePlan(declared, run)` stands in another, with its line in PlanRuns.ts. Titles are in framework/Words.ts.
 */
import { prepareAccountingSync, prepareBridgeClaim } from "./bridges/PlanDeclarations.ts"
import { prepareBorrow, prepareRepay } from "./loans/PlanDeclarations.ts"
import { prepareCashOut, preparePay, preparePayout } from "./quotes/PlanDeclarations.ts"
import { prepareLaunch, prepareRulesetChange } from "./rulesets/Declarations.ts"

/** By reference: written out, the types of all schemas together are more than a declaration file holds. */
export interface PlanRegister {
  readonly prepare_bridge_claim: typeof prepareBridgeClaim
  readonly prepare_accounting_sync: typeof prepareAccountingSync
  readonly prepare_pay: typeof preparePay
  readonly prepare_cash_out: typeof prepareCashOut
  readonly prepare_payout: typeof preparePayout
  readonly prepare_ruleset_change: typeof prepareRulesetChange
  readonly prepare_launch: typeof prepareLaunch
  readonly prepare_borrow: typeof prepareBorrow
  readonly prepare_repay: typeof prepareRepay
}

export const planRegister: PlanRegister = {
  prepare_bridge_claim: prepareBridgeClaim,
  prepare_accounting_sync: prepareAccountingSync,
  prepare_pay: preparePay,
  prepare_cash_out: prepareCashOut,
  prepare_payout: preparePayout,
  prepare_ruleset_change: prepareRulesetChange,
  prepare_launch: prepareLaunch,
  prepare_borrow: prepareBorrow,
  prepare_repay: prepareRepay
}

export type RegisteredPlanId = keyof PlanRegister

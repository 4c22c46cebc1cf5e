/**
 * The operations that are prepared as plans, as they are declared. `declarePlan` stands in a file free of services
 * and gives id, input (from inputs/Plans.ts), the operation's own members of the summary and problems;
 * `definePlan(declared, run)` stands in another, with its line in PlanRuns.ts. Titles are in framework/Words.ts.
 */

import { prepareAccountingSync, prepareBridgeClaim } from "./bridges/PlanDeclarations.ts"
import type { PlanId } from "./framework/OperationTable.ts"
import type { AnyDeclaredPlan } from "./framework/PlanOperation.ts"
import { prepareBorrow, prepareRepay } from "./loans/PlanDeclarations.ts"
import { prepareCashOut, preparePay, preparePayout } from "./quotes/PlanDeclarations.ts"
import { prepareAutoIssue, prepareRevnetDeploy } from "./revnets/PlanDeclarations.ts"
import {
  prepareBuybackHook,
  prepareBuybackPool,
  prepareBuybackTwap,
  prepareRouterTerminal
} from "./routing/PlanDeclarations.ts"
import { prepareLaunch, prepareRulesetChange } from "./rulesets/Declarations.ts"
import { prepare721Pay } from "./shops/PayPlanDeclaration.ts"
import { prepare721Launch, prepareAdjustTiers } from "./shops/PlanDeclarations.ts"

/** By reference: written out, the types of all schemas together are more than a declaration file holds. */
export interface PlanRegister extends Readonly<Record<PlanId, AnyDeclaredPlan>> {
  readonly prepare_bridge_claim: typeof prepareBridgeClaim
  readonly prepare_accounting_sync: typeof prepareAccountingSync
  readonly prepare_pay: typeof preparePay
  readonly prepare_cash_out: typeof prepareCashOut
  readonly prepare_payout: typeof preparePayout
  readonly prepare_ruleset_change: typeof prepareRulesetChange
  readonly prepare_launch: typeof prepareLaunch
  readonly prepare_borrow: typeof prepareBorrow
  readonly prepare_repay: typeof prepareRepay
  readonly prepare_buyback_pool: typeof prepareBuybackPool
  readonly prepare_buyback_twap: typeof prepareBuybackTwap
  readonly prepare_buyback_hook: typeof prepareBuybackHook
  readonly prepare_router_terminal: typeof prepareRouterTerminal
  readonly prepare_revnet_deploy: typeof prepareRevnetDeploy
  readonly prepare_auto_issue: typeof prepareAutoIssue
  readonly prepare_721_pay: typeof prepare721Pay
  readonly prepare_adjust_tiers: typeof prepareAdjustTiers
  readonly prepare_721_launch: typeof prepare721Launch
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
  prepare_repay: prepareRepay,
  prepare_buyback_pool: prepareBuybackPool,
  prepare_buyback_twap: prepareBuybackTwap,
  prepare_buyback_hook: prepareBuybackHook,
  prepare_router_terminal: prepareRouterTerminal,
  prepare_revnet_deploy: prepareRevnetDeploy,
  prepare_auto_issue: prepareAutoIssue,
  prepare_721_pay: prepare721Pay,
  prepare_adjust_tiers: prepareAdjustTiers,
  prepare_721_launch: prepare721Launch
}

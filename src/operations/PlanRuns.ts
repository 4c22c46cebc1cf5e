/** What the registered plan operations do; each has its line in PlanRegister.ts too. */
import { runPrepareAccountingSync } from "./bridges/PrepareAccountingSync.ts"
import { runPrepareBridgeClaim } from "./bridges/PrepareBridgeClaim.ts"
import type { PlanOperation } from "./framework/DefinePlan.ts"
import type { PlanId } from "./framework/OperationTable.ts"
import { runPrepareBorrow } from "./loans/PrepareBorrow.ts"
import { runPrepareRepay } from "./loans/PrepareRepay.ts"
import { runPrepareCashOut } from "./quotes/PrepareCashOut.ts"
import { runPreparePay } from "./quotes/PreparePay.ts"
import { runPreparePayout } from "./quotes/PreparePayout.ts"
import { runPrepareAutoIssue } from "./revnets/PrepareAutoIssue.ts"
import { runPrepareRevnetDeploy } from "./revnets/PrepareRevnetDeploy.ts"
import { runPrepareBuybackHook } from "./routing/PrepareBuybackHook.ts"
import { runPrepareBuybackPool } from "./routing/PrepareBuybackPool.ts"
import { runPrepareBuybackTwap } from "./routing/PrepareBuybackTwap.ts"
import { runPrepareRouterTerminal } from "./routing/PrepareRouterTerminal.ts"
import { runPrepareLaunch } from "./rulesets/PrepareLaunch.ts"
import { runPrepareRulesetChange } from "./rulesets/PrepareRulesetChange.ts"
import { runPrepareAdjustTiers } from "./shops/PrepareAdjustTiers.ts"
import { runPrepare721Launch } from "./shops/PrepareShopLaunch.ts"
import { runPrepare721Pay } from "./shops/PrepareShopPay.ts"

export const planRuns = {
  prepare_bridge_claim: runPrepareBridgeClaim,
  prepare_accounting_sync: runPrepareAccountingSync,
  prepare_pay: runPreparePay,
  prepare_cash_out: runPrepareCashOut,
  prepare_payout: runPreparePayout,
  prepare_ruleset_change: runPrepareRulesetChange,
  prepare_launch: runPrepareLaunch,
  prepare_borrow: runPrepareBorrow,
  prepare_repay: runPrepareRepay,
  prepare_buyback_pool: runPrepareBuybackPool,
  prepare_buyback_twap: runPrepareBuybackTwap,
  prepare_buyback_hook: runPrepareBuybackHook,
  prepare_router_terminal: runPrepareRouterTerminal,
  prepare_revnet_deploy: runPrepareRevnetDeploy,
  prepare_auto_issue: runPrepareAutoIssue,
  prepare_721_pay: runPrepare721Pay,
  prepare_adjust_tiers: runPrepareAdjustTiers,
  prepare_721_launch: runPrepare721Launch
} as const satisfies { readonly [Id in PlanId]: PlanOperation<unknown> }

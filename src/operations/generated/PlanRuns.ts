/** Written by `npm run operations` from the folders of the operations: what those do that are prepared as plans. */
import { runPrepareLaunch } from "../configuration/prepare_launch/Run.ts"
import { runPrepareRulesetChange } from "../configuration/prepare_ruleset_change/Run.ts"
import type { PlanOperation } from "../framework/DefinePlan.ts"
import { runPrepare721Launch } from "../nfts/prepare_721_launch/Run.ts"
import { runPrepare721Pay } from "../nfts/prepare_721_pay/Run.ts"
import { runPrepareAdjustTiers } from "../nfts/prepare_adjust_tiers/Run.ts"
import { runPrepareAccountingSync } from "../omnichain/prepare_accounting_sync/Run.ts"
import { runPrepareBridgeClaim } from "../omnichain/prepare_bridge_claim/Run.ts"
import { runPrepareCashOut } from "../payments/prepare_cash_out/Run.ts"
import { runPreparePay } from "../payments/prepare_pay/Run.ts"
import { runPreparePayout } from "../payments/prepare_payout/Run.ts"
import { runPrepareAutoIssue } from "../revnets/prepare_auto_issue/Run.ts"
import { runPrepareBorrow } from "../revnets/prepare_borrow/Run.ts"
import { runPrepareRepay } from "../revnets/prepare_repay/Run.ts"
import { runPrepareRevnetDeploy } from "../revnets/prepare_revnet_deploy/Run.ts"
import { runPrepareBuybackHook } from "../routing/prepare_buyback_hook/Run.ts"
import { runPrepareBuybackPool } from "../routing/prepare_buyback_pool/Run.ts"
import { runPrepareBuybackTwap } from "../routing/prepare_buyback_twap/Run.ts"
import { runPrepareRouterTerminal } from "../routing/prepare_router_terminal/Run.ts"
import type { PrepareId } from "./OperationIds.ts"

/** By reference, as the declarations. */
type All = {
  readonly prepare_pay: typeof runPreparePay
  readonly prepare_cash_out: typeof runPrepareCashOut
  readonly prepare_payout: typeof runPreparePayout
  readonly prepare_ruleset_change: typeof runPrepareRulesetChange
  readonly prepare_launch: typeof runPrepareLaunch
  readonly prepare_borrow: typeof runPrepareBorrow
  readonly prepare_repay: typeof runPrepareRepay
  readonly prepare_bridge_claim: typeof runPrepareBridgeClaim
  readonly prepare_accounting_sync: typeof runPrepareAccountingSync
  readonly prepare_buyback_pool: typeof runPrepareBuybackPool
  readonly prepare_buyback_twap: typeof runPrepareBuybackTwap
  readonly prepare_buyback_hook: typeof runPrepareBuybackHook
  readonly prepare_router_terminal: typeof runPrepareRouterTerminal
  readonly prepare_721_pay: typeof runPrepare721Pay
  readonly prepare_adjust_tiers: typeof runPrepareAdjustTiers
  readonly prepare_721_launch: typeof runPrepare721Launch
  readonly prepare_revnet_deploy: typeof runPrepareRevnetDeploy
  readonly prepare_auto_issue: typeof runPrepareAutoIssue
}

export const planRuns: All = {
  prepare_pay: runPreparePay,
  prepare_cash_out: runPrepareCashOut,
  prepare_payout: runPreparePayout,
  prepare_ruleset_change: runPrepareRulesetChange,
  prepare_launch: runPrepareLaunch,
  prepare_borrow: runPrepareBorrow,
  prepare_repay: runPrepareRepay,
  prepare_bridge_claim: runPrepareBridgeClaim,
  prepare_accounting_sync: runPrepareAccountingSync,
  prepare_buyback_pool: runPrepareBuybackPool,
  prepare_buyback_twap: runPrepareBuybackTwap,
  prepare_buyback_hook: runPrepareBuybackHook,
  prepare_router_terminal: runPrepareRouterTerminal,
  prepare_721_pay: runPrepare721Pay,
  prepare_adjust_tiers: runPrepareAdjustTiers,
  prepare_721_launch: runPrepare721Launch,
  prepare_revnet_deploy: runPrepareRevnetDeploy,
  prepare_auto_issue: runPrepareAutoIssue
} satisfies { readonly [Id in PrepareId]: PlanOperation<unknown> }

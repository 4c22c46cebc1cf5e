/** Written by `npm run operations` from the folders of the operations: the declarations of those that are prepared as plans. */
import { prepareLaunch } from "../configuration/prepare_launch/Declaration.ts"
import { prepareRulesetChange } from "../configuration/prepare_ruleset_change/Declaration.ts"
import type { AnyDeclaredPlan } from "../framework/PlanOperation.ts"
import { prepare721Launch } from "../nfts/prepare_721_launch/Declaration.ts"
import { prepare721Pay } from "../nfts/prepare_721_pay/Declaration.ts"
import { prepareAdjustTiers } from "../nfts/prepare_adjust_tiers/Declaration.ts"
import { prepareAccountingSync } from "../omnichain/prepare_accounting_sync/Declaration.ts"
import { prepareBridgeClaim } from "../omnichain/prepare_bridge_claim/Declaration.ts"
import { prepareCashOut } from "../payments/prepare_cash_out/Declaration.ts"
import { preparePay } from "../payments/prepare_pay/Declaration.ts"
import { preparePayout } from "../payments/prepare_payout/Declaration.ts"
import { prepareAutoIssue } from "../revnets/prepare_auto_issue/Declaration.ts"
import { prepareBorrow } from "../revnets/prepare_borrow/Declaration.ts"
import { prepareRepay } from "../revnets/prepare_repay/Declaration.ts"
import { prepareRevnetDeploy } from "../revnets/prepare_revnet_deploy/Declaration.ts"
import { prepareBuybackHook } from "../routing/prepare_buyback_hook/Declaration.ts"
import { prepareBuybackPool } from "../routing/prepare_buyback_pool/Declaration.ts"
import { prepareBuybackTwap } from "../routing/prepare_buyback_twap/Declaration.ts"
import { prepareRouterTerminal } from "../routing/prepare_router_terminal/Declaration.ts"
import type { PrepareId } from "./OperationIds.ts"

/** By reference: written out, the types of all schemas together are more than a declaration file holds. */
export interface PlanRegister extends Readonly<Record<PrepareId, AnyDeclaredPlan>> {
  readonly prepare_pay: typeof preparePay
  readonly prepare_cash_out: typeof prepareCashOut
  readonly prepare_payout: typeof preparePayout
  readonly prepare_ruleset_change: typeof prepareRulesetChange
  readonly prepare_launch: typeof prepareLaunch
  readonly prepare_borrow: typeof prepareBorrow
  readonly prepare_repay: typeof prepareRepay
  readonly prepare_bridge_claim: typeof prepareBridgeClaim
  readonly prepare_accounting_sync: typeof prepareAccountingSync
  readonly prepare_buyback_pool: typeof prepareBuybackPool
  readonly prepare_buyback_twap: typeof prepareBuybackTwap
  readonly prepare_buyback_hook: typeof prepareBuybackHook
  readonly prepare_router_terminal: typeof prepareRouterTerminal
  readonly prepare_721_pay: typeof prepare721Pay
  readonly prepare_adjust_tiers: typeof prepareAdjustTiers
  readonly prepare_721_launch: typeof prepare721Launch
  readonly prepare_revnet_deploy: typeof prepareRevnetDeploy
  readonly prepare_auto_issue: typeof prepareAutoIssue
}

export const planRegister: PlanRegister = {
  prepare_pay: preparePay,
  prepare_cash_out: prepareCashOut,
  prepare_payout: preparePayout,
  prepare_ruleset_change: prepareRulesetChange,
  prepare_launch: prepareLaunch,
  prepare_borrow: prepareBorrow,
  prepare_repay: prepareRepay,
  prepare_bridge_claim: prepareBridgeClaim,
  prepare_accounting_sync: prepareAccountingSync,
  prepare_buyback_pool: prepareBuybackPool,
  prepare_buyback_twap: prepareBuybackTwap,
  prepare_buyback_hook: prepareBuybackHook,
  prepare_router_terminal: prepareRouterTerminal,
  prepare_721_pay: prepare721Pay,
  prepare_adjust_tiers: prepareAdjustTiers,
  prepare_721_launch: prepare721Launch,
  prepare_revnet_deploy: prepareRevnetDeploy,
  prepare_auto_issue: prepareAutoIssue
}

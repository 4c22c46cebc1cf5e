/** What plans of each operation are called; a stored plan keeps its name, so that none may change. */
import type { PlanId } from "./OperationTable.ts"

export const planNames: { readonly [Id in PlanId]: string } = {
  prepare_pay: "pay",
  prepare_cash_out: "cash_out",
  prepare_payout: "payout",
  prepare_ruleset_change: "ruleset-change",
  prepare_launch: "launch",
  prepare_borrow: "borrow",
  prepare_repay: "repay_loan",
  prepare_bridge_claim: "bridge_claim",
  prepare_accounting_sync: "sync_accounting",
  prepare_buyback_pool: "setPoolFor",
  prepare_buyback_twap: "setTwapWindowOf",
  prepare_buyback_hook: "setHookFor",
  prepare_router_terminal: "setTerminalFor",
  prepare_721_pay: "721_pay",
  prepare_adjust_tiers: "721_adjust_tiers",
  prepare_721_launch: "721_launch",
  prepare_revnet_deploy: "revnet_deploy",
  prepare_auto_issue: "revnet_auto_issue"
}

/** Written by `npm run operations` from the folders of the operations: their ids, in the order of publication. */
const ids = [
  "prepare_project_metadata",
  "resolve_project",
  "search_projects",
  "get_project",
  "get_rulesets",
  "get_position",
  "get_account",
  "get_activity",
  "get_indexer_status",
  "get_permissions",
  "get_bridges",
  "get_omnichain_group",
  "quote_pay",
  "prepare_pay",
  "quote_cash_out",
  "prepare_cash_out",
  "quote_payout",
  "prepare_payout",
  "model_economics",
  "preview_ruleset_change",
  "prepare_ruleset_change",
  "prepare_launch",
  "quote_loan",
  "prepare_borrow",
  "get_loan",
  "prepare_repay",
  "prepare_bridge_claim",
  "prepare_accounting_sync",
  "get_routing",
  "prepare_buyback_pool",
  "prepare_buyback_twap",
  "prepare_buyback_hook",
  "prepare_router_terminal",
  "get_721_shop",
  "quote_721_pay",
  "prepare_721_pay",
  "prepare_adjust_tiers",
  "prepare_721_launch",
  "get_revnet",
  "prepare_revnet_deploy",
  "prepare_auto_issue",
  "plan_integration",
  "get_webclient_reference",
  "list_webclient_references",
  "get_intent",
  "prepare_intent",
  "search_reference",
  "get_reference",
  "get_contract",
  "decode_calldata",
  "list_references",
  "list_capabilities"
] as const

const plans = [
  "prepare_pay",
  "prepare_cash_out",
  "prepare_payout",
  "prepare_ruleset_change",
  "prepare_launch",
  "prepare_borrow",
  "prepare_repay",
  "prepare_bridge_claim",
  "prepare_accounting_sync",
  "prepare_buyback_pool",
  "prepare_buyback_twap",
  "prepare_buyback_hook",
  "prepare_router_terminal",
  "prepare_721_pay",
  "prepare_adjust_tiers",
  "prepare_721_launch",
  "prepare_revnet_deploy",
  "prepare_auto_issue"
] as const

export type OperationId = (typeof ids)[number]

/** Prepared as plans. */
export type PrepareId = (typeof plans)[number]

/** Answered at once. */
export type ReadId = Exclude<OperationId, PrepareId>

export const operationIds: ReadonlyArray<OperationId> = ids

export const planIds: ReadonlyArray<PrepareId> = plans

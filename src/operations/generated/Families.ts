/** Written by `npm run operations` from the folders of the operations: the families with their operations. */
import { configurationFamily } from "../configuration/Family.ts"
import { developmentFamily } from "../development/Family.ts"
import type { ListedFamily } from "../framework/OperationFamily.ts"
import { metadataFamily } from "../metadata/Family.ts"
import { nftsFamily } from "../nfts/Family.ts"
import { omnichainFamily } from "../omnichain/Family.ts"
import { paymentsFamily } from "../payments/Family.ts"
import { plansFamily } from "../plans/Family.ts"
import { projectsFamily } from "../projects/Family.ts"
import { revnetsFamily } from "../revnets/Family.ts"
import { routingFamily } from "../routing/Family.ts"

export const families: ReadonlyArray<ListedFamily> = [
  {
    id: "metadata",
    ...metadataFamily,
    operations: ["prepare_project_metadata", "get_intent", "prepare_intent"]
  },
  {
    id: "projects",
    ...projectsFamily,
    operations: [
      "resolve_project",
      "search_projects",
      "get_project",
      "get_position",
      "get_account",
      "get_activity",
      "get_indexer_status",
      "get_permissions"
    ]
  },
  {
    id: "payments",
    ...paymentsFamily,
    operations: [
      "quote_pay",
      "prepare_pay",
      "quote_cash_out",
      "prepare_cash_out",
      "quote_payout",
      "prepare_payout",
      "model_economics"
    ]
  },
  {
    id: "configuration",
    ...configurationFamily,
    operations: ["get_rulesets", "preview_ruleset_change", "prepare_ruleset_change", "prepare_launch"]
  },
  {
    id: "routing",
    ...routingFamily,
    operations: [
      "get_routing",
      "prepare_buyback_pool",
      "prepare_buyback_twap",
      "prepare_buyback_hook",
      "prepare_router_terminal"
    ]
  },
  {
    id: "nfts",
    ...nftsFamily,
    operations: [
      "get_721_shop",
      "quote_721_pay",
      "prepare_721_pay",
      "prepare_adjust_tiers",
      "prepare_721_launch"
    ]
  },
  {
    id: "revnets",
    ...revnetsFamily,
    operations: [
      "quote_loan",
      "prepare_borrow",
      "get_loan",
      "prepare_repay",
      "get_revnet",
      "prepare_revnet_deploy",
      "prepare_auto_issue"
    ]
  },
  {
    id: "omnichain",
    ...omnichainFamily,
    operations: ["get_bridges", "get_omnichain_group", "prepare_bridge_claim", "prepare_accounting_sync"]
  },
  { id: "plans", ...plansFamily, operations: [] },
  {
    id: "development",
    ...developmentFamily,
    operations: [
      "plan_integration",
      "get_webclient_reference",
      "list_webclient_references",
      "search_reference",
      "get_reference",
      "get_contract",
      "decode_calldata",
      "list_references",
      "list_capabilities"
    ]
  }
]

/** The operations by what a developer wants to do, with the bounds that hold for each family. */
import type { OperationId } from "../framework/OperationTable.ts"
import type { ServiceOperation } from "./Declarations.ts"

interface FamilyWords {
  readonly id: string
  readonly title: string
  readonly operations: ReadonlyArray<OperationId>
  readonly references: ReadonlyArray<string>
  readonly limits: ReadonlyArray<string>
}

const DESCRIPTIONS = "/api/v1/catalog/operations"
const INDEX_PAGE = "Pages of indexed rows hold 1 to 50, 20 unless asked otherwise."
const ONE_BLOCK = "Every value of one chain is read at one canonical block."
const SLIPPAGE = "Slippage is 0 to 1000 basis points, 100 unless asked otherwise."

export const families: ReadonlyArray<FamilyWords> = [
  {
    id: "metadata",
    title: "Project metadata and undeployed projects",
    operations: ["prepare_project_metadata", "prepare_intent", "get_intent"],
    references: ["/docs#Intents", DESCRIPTIONS],
    limits: ["Canonical metadata has at most 64 KiB.", "An intent's envelope has at most 1 MiB."]
  },
  {
    id: "projects",
    title: "Finding and reading projects",
    operations: [
      "resolve_project",
      "search_projects",
      "get_project",
      "get_position",
      "get_account",
      "get_activity",
      "get_indexer_status",
      "get_permissions"
    ],
    references: ["/docs#Projects", "/docs#Indexer", DESCRIPTIONS],
    limits: [INDEX_PAGE, ONE_BLOCK, "Up to 32 terminals of a project and 32 tokens of each are read."]
  },
  {
    id: "payments",
    title: "Payments, cash outs and payouts",
    operations: [
      "quote_pay",
      "prepare_pay",
      "quote_cash_out",
      "prepare_cash_out",
      "quote_payout",
      "prepare_payout",
      "model_economics"
    ],
    references: [DESCRIPTIONS],
    limits: [SLIPPAGE, "A memo has at most 256 bytes.", "A model has at most 50 scenarios."]
  },
  {
    id: "configuration",
    title: "Rulesets and launches",
    operations: ["get_rulesets", "preview_ruleset_change", "prepare_ruleset_change", "prepare_launch"],
    references: [DESCRIPTIONS],
    limits: ["At most 16 rulesets are queued at once.", "At most 32 split groups and 32 splits in each."]
  },
  {
    id: "routing",
    title: "Buyback pools and router terminals",
    operations: [
      "get_routing",
      "prepare_buyback_pool",
      "prepare_buyback_twap",
      "prepare_buyback_hook",
      "prepare_router_terminal"
    ],
    references: [DESCRIPTIONS],
    limits: ["Up to 8 tokens, 4 pairs and 8 pending calls are read at once."]
  },
  {
    id: "nfts",
    title: "721 shops",
    operations: [
      "get_721_shop",
      "quote_721_pay",
      "prepare_721_pay",
      "prepare_adjust_tiers",
      "prepare_721_launch"
    ],
    references: [DESCRIPTIONS],
    limits: ["A page of tiers holds 1 to 32.", "A payment buys at most 32 items."]
  },
  {
    id: "revnets",
    title: "Revnets and their loans",
    operations: [
      "get_revnet",
      "prepare_revnet_deploy",
      "prepare_auto_issue",
      "quote_loan",
      "prepare_borrow",
      "get_loan",
      "prepare_repay"
    ],
    references: [DESCRIPTIONS],
    limits: ["A revnet has 1 to 16 stages.", "A loan's prepaid fee is 25 to 500 thousandths."]
  },
  {
    id: "omnichain",
    title: "Bridges and projects on several chains",
    operations: ["get_bridges", "get_omnichain_group", "prepare_bridge_claim", "prepare_accounting_sync"],
    references: ["/docs#Projects", DESCRIPTIONS],
    limits: ["Up to 32 bridges of a project are read.", "Events are read over at most 2000 blocks."]
  },
  {
    id: "plans",
    title: "Plans and the relay",
    operations: [],
    references: ["/docs#Transactions"],
    limits: ["A plan has 1 to 32 calls.", "A plan's steps are relayed exactly as the wallet signed them."]
  },
  {
    id: "development",
    title: "Contracts and references",
    operations: [
      "plan_integration",
      "get_webclient_reference",
      "list_webclient_references",
      "search_reference",
      "get_reference",
      "list_references",
      "get_contract",
      "decode_calldata",
      "list_capabilities"
    ],
    references: ["/docs", "/api/v1/openapi.json", "/api/v1/catalog/contracts"],
    limits: ["A page of a reference holds at most 24000 UTF-16 code units.", "Calldata has at most 128 KiB."]
  }
]

/** What the service does beyond its operations. */
export const serviceOperations: ReadonlyArray<ServiceOperation> = [
  { method: "POST", path: "/api/v1/plans", description: "Prepare a plan of exact catalogued calls." },
  { method: "GET", path: "/api/v1/plans/{id}", description: "Show or refresh a plan." },
  {
    method: "GET",
    path: "/api/v1/plans/{id}/steps/{step}/simulation",
    description: "Simulate a step of a plan."
  },
  {
    method: "POST",
    path: "/api/v1/plans/{id}/steps/{step}/submissions",
    description: "Relay a step exactly as its wallet signed it."
  },
  { method: "GET", path: "/api/v1/protocol/resolve", description: "Prove where a contract is." },
  { method: "GET", path: "/api/v1/protocol/read", description: "Read a proved contract." }
]

/** What people are told of each operation, before they read its schemas. */
import type { OperationId } from "./OperationTable.ts"

interface Words {
  readonly title: string
  readonly description: string
}

export const operationWords: { readonly [Id in OperationId]: Words } = {
  prepare_project_metadata: {
    title: "Prepare project metadata",
    description:
      "Builds complete new project metadata for review without uploading: the exact canonical JSON, its size and SHA-256, and an authenticated review token that expires. Existing metadata is not merged and nothing is fetched. The token is the service's seal on what it showed: no operation takes or checks it, and it is no approval to publish; what binds is the SHA-256 of the bytes."
  },
  resolve_project: {
    title: "Resolve a project",
    description:
      "Turns a project URL or <chain>:<project id> into a project. A name gives candidates and chooses none; a bare project id is refused as ambiguous. No URL is fetched."
  },
  search_projects: {
    title: "Search projects",
    description:
      "Searches deployed version-6 projects in the indexed source and signed undeployed intents held by the service. The upstream cursor is kept; the total of version 6 is told as unknown."
  },
  get_project: {
    title: "Show a project",
    description:
      "The project at one canonical block, or as the indexed source has it: owner, controller, rulesets, token, supply, terminals, balances, limits and splits, each known or explicitly unknown."
  },
  get_rulesets: {
    title: "List rulesets",
    description: "The rulesets of a project with their metadata, newest first, at one canonical block."
  },
  get_position: {
    title: "Show a position",
    description:
      "What an account holds of a project: credits, ERC-20 balance and their total, at one canonical block."
  },
  get_account: {
    title: "Show an account",
    description:
      "The projects that an address takes part in, as the indexed source has them; not an authoritative balance."
  },
  get_activity: { title: "List activity", description: "The indexed events of a project, newest first." },
  get_indexer_status: {
    title: "Show the indexed source",
    description: "How far the indexed source of a network says it has come on each chain."
  },
  get_permissions: {
    title: "Show permissions",
    description:
      "What an operator may do for an account, for this project and for all projects, at one canonical block."
  },
  get_bridges: {
    title: "Show bridges",
    description:
      "The project's bridges with their peers proved on both chains, their states, token mappings, outboxes and inboxes."
  },
  get_omnichain_group: {
    title: "Show an omnichain group",
    description: "The projects that the indexed source counts as one across chains, and its totals."
  },
  quote_pay: {
    title: "Quote a payment",
    description:
      "What paying a project would mint now, through the terminal and hooks that would act on it, with the least amount to insist on."
  },
  prepare_pay: {
    title: "Prepare a payment",
    description: "Plans the exact approval and payment of a project with a minimum of returned tokens."
  },
  quote_cash_out: {
    title: "Quote a cash out",
    description:
      "What cashing out tokens would return now, after the protocol's fee, by the route that pays more."
  },
  prepare_cash_out: {
    title: "Prepare a cash out",
    description: "Plans the exact cash out of tokens with a minimum of reclaimed funds."
  },
  quote_payout: {
    title: "Quote a payout",
    description: "What sending payouts would pay out now, before splits and fees."
  },
  prepare_payout: {
    title: "Prepare a payout",
    description: "Plans the exact sending of payouts with a minimum paid out."
  },
  model_economics: {
    title: "Model economics",
    description:
      "Computes issuance and cash outs of a ruleset configuration in the contracts' own integer arithmetic, without any chain."
  },
  preview_ruleset_change: {
    title: "Preview a ruleset change",
    description:
      "Compares proposed rulesets with the current one: economic changes, locked splits, limits, permission and timing."
  },
  prepare_ruleset_change: {
    title: "Prepare a ruleset change",
    description: "Plans the queueing of rulesets by an account that may."
  },
  prepare_launch: {
    title: "Prepare a launch",
    description: "Plans the launch of a project with its rulesets and terminals."
  },
  quote_loan: {
    title: "Quote a loan",
    description: "What a revnet's tokens would borrow now, its fees and the permission it needs."
  },
  prepare_borrow: {
    title: "Prepare a loan",
    description:
      "Plans the loan against a revnet's tokens and, where it is missing, the permission to burn them."
  },
  get_loan: {
    title: "Show a loan",
    description:
      "A loan with its owner, deadline and the cost of repaying it in full, at one canonical block."
  },
  prepare_repay: {
    title: "Prepare a repayment",
    description: "Plans the repayment of a loan and the collateral it returns."
  },
  prepare_bridge_claim: {
    title: "Prepare a bridge claim",
    description: "Plans the claim of bridged tokens with its proof, after simulating it."
  },
  prepare_accounting_sync: {
    title: "Prepare an accounting sync",
    description:
      "Plans the sending of a project's accounts to its peer chain with a transport value that a simulation accepted."
  },
  get_routing: {
    title: "Show routing",
    description:
      "Which hooks, terminals, routers and pools act on a project's payments and cash outs, at one canonical block."
  },
  prepare_buyback_pool: {
    title: "Prepare a buyback pool",
    description:
      "Plans the choice of the pool that a project's buyback uses for a token; the choice is permanent."
  },
  prepare_buyback_twap: {
    title: "Prepare a buyback window",
    description: "Plans the change of the time window that a project's buyback averages prices over."
  },
  prepare_buyback_hook: {
    title: "Prepare a buyback hook",
    description: "Plans the choice of a project's buyback hook in the registry."
  },
  prepare_router_terminal: {
    title: "Prepare a router terminal",
    description: "Plans the choice of a project's router terminal in the registry."
  },
  get_721_shop: {
    title: "Show a 721 shop",
    description: "The project's 721 shop: its hook, prices, flags and tiers, at one canonical block."
  },
  quote_721_pay: {
    title: "Quote a 721 payment",
    description: "What paying for these tiers would mint now, with the credits it uses and leaves."
  },
  prepare_721_pay: {
    title: "Prepare a 721 payment",
    description: "Plans the exact approval and payment for these tiers."
  },
  prepare_adjust_tiers: {
    title: "Prepare tier changes",
    description: "Plans the adding and removing of tiers of a project's shop."
  },
  prepare_721_launch: {
    title: "Prepare a launch with a shop",
    description: "Plans the launch of a project together with its 721 shop."
  },
  get_revnet: {
    title: "Show a revnet",
    description:
      "A verified revnet with its stages, cash-out delay, shop and loans contract, at one canonical block."
  },
  prepare_revnet_deploy: {
    title: "Prepare a revnet",
    description: "Plans the deployment of a revnet with its stages, terminals, bridges and shop."
  },
  prepare_auto_issue: {
    title: "Prepare an automatic issuance",
    description: "Plans the issuance that a revnet's stage promised to a beneficiary."
  },
  plan_integration: {
    title: "Plan an integration",
    description:
      "Which features, in which order and with which references, an application of this kind is built from."
  },
  get_webclient_reference: {
    title: "Read a web-client reference",
    description: "A page of one source excerpt of a web client."
  },
  list_webclient_references: {
    title: "List web-client references",
    description: "The source excerpts of a web client that the service carries."
  },
  get_intent: {
    title: "Show a project intent",
    description:
      "A signed, undeployed project intent, verified again before it is served; it proves nothing on a chain."
  },
  prepare_intent: {
    title: "Prepare a project intent",
    description:
      "Normalises a project intent and gives the hash and the message to sign. Nothing is stored or signed."
  },
  search_reference: {
    title: "Search references",
    description: "The reference documents that fit some words best, with an excerpt of each."
  },
  get_reference: { title: "Read a reference", description: "A page of one reference document." },
  get_contract: {
    title: "Show a contract",
    description: "The pinned ABI of a contract and, for a chain, its address and generations."
  },
  decode_calldata: {
    title: "Decode calldata",
    description:
      "Which function of a contract some calldata calls, and with which arguments; it says nothing of the target, the effect or its safety."
  },
  list_references: {
    title: "List references",
    description: "The reference documents that the service carries."
  },
  list_capabilities: {
    title: "List capabilities",
    description: "The families of operations with their limits; no live state."
  }
}

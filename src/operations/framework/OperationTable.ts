/** What each of the operations is: its kind, its classes of source and whether it prepares transactions. */
export const operationTable = {
  prepare_project_metadata: { kind: "prepare", sources: ["model"], transaction: false },
  resolve_project: { kind: "read", sources: ["model", "indexer"], transaction: false },
  search_projects: { kind: "read", sources: ["indexer", "service"], transaction: false },
  get_project: { kind: "read", sources: ["onchain", "indexer"], transaction: false },
  get_rulesets: { kind: "read", sources: ["onchain"], transaction: false },
  get_position: { kind: "read", sources: ["onchain"], transaction: false },
  get_account: { kind: "read", sources: ["indexer"], transaction: false },
  get_activity: { kind: "read", sources: ["indexer"], transaction: false },
  get_indexer_status: { kind: "read", sources: ["indexer"], transaction: false },
  get_permissions: { kind: "read", sources: ["onchain"], transaction: false },
  get_bridges: { kind: "read", sources: ["onchain"], transaction: false },
  get_omnichain_group: { kind: "read", sources: ["indexer"], transaction: false },
  quote_pay: { kind: "read", sources: ["onchain"], transaction: false },
  prepare_pay: { kind: "prepare", sources: ["onchain"], transaction: true },
  quote_cash_out: { kind: "read", sources: ["onchain"], transaction: false },
  prepare_cash_out: { kind: "prepare", sources: ["onchain"], transaction: true },
  quote_payout: { kind: "read", sources: ["onchain"], transaction: false },
  prepare_payout: { kind: "prepare", sources: ["onchain"], transaction: true },
  model_economics: { kind: "read", sources: ["model"], transaction: false },
  preview_ruleset_change: { kind: "read", sources: ["onchain"], transaction: false },
  prepare_ruleset_change: { kind: "prepare", sources: ["onchain"], transaction: true },
  prepare_launch: { kind: "prepare", sources: ["onchain"], transaction: true },
  quote_loan: { kind: "read", sources: ["onchain"], transaction: false },
  prepare_borrow: { kind: "prepare", sources: ["onchain"], transaction: true },
  get_loan: { kind: "read", sources: ["onchain"], transaction: false },
  prepare_repay: { kind: "prepare", sources: ["onchain"], transaction: true },
  prepare_bridge_claim: { kind: "prepare", sources: ["onchain"], transaction: true },
  prepare_accounting_sync: { kind: "prepare", sources: ["onchain"], transaction: true },
  get_routing: { kind: "read", sources: ["onchain"], transaction: false },
  prepare_buyback_pool: { kind: "prepare", sources: ["onchain"], transaction: true },
  prepare_buyback_twap: { kind: "prepare", sources: ["onchain"], transaction: true },
  prepare_buyback_hook: { kind: "prepare", sources: ["onchain"], transaction: true },
  prepare_router_terminal: { kind: "prepare", sources: ["onchain"], transaction: true },
  get_721_shop: { kind: "read", sources: ["onchain"], transaction: false },
  quote_721_pay: { kind: "read", sources: ["onchain"], transaction: false },
  prepare_721_pay: { kind: "prepare", sources: ["onchain"], transaction: true },
  prepare_adjust_tiers: { kind: "prepare", sources: ["onchain"], transaction: true },
  prepare_721_launch: { kind: "prepare", sources: ["onchain"], transaction: true },
  get_revnet: { kind: "read", sources: ["onchain"], transaction: false },
  prepare_revnet_deploy: { kind: "prepare", sources: ["onchain"], transaction: true },
  prepare_auto_issue: { kind: "prepare", sources: ["onchain"], transaction: true },
  plan_integration: { kind: "reference", sources: ["reference"], transaction: false },
  get_webclient_reference: { kind: "reference", sources: ["reference"], transaction: false },
  list_webclient_references: { kind: "reference", sources: ["reference"], transaction: false },
  get_intent: { kind: "read", sources: ["service"], transaction: false },
  prepare_intent: { kind: "prepare", sources: ["service"], transaction: false },
  search_reference: { kind: "reference", sources: ["reference"], transaction: false },
  get_reference: { kind: "reference", sources: ["reference"], transaction: false },
  get_contract: { kind: "reference", sources: ["reference"], transaction: false },
  decode_calldata: { kind: "reference", sources: ["reference"], transaction: false },
  list_references: { kind: "reference", sources: ["reference"], transaction: false },
  list_capabilities: { kind: "reference", sources: ["reference"], transaction: false }
} as const

type Table = typeof operationTable

export type OperationId = keyof Table

type WithTransaction<Answer extends boolean> = {
  readonly [Id in OperationId]: Table[Id]["transaction"] extends Answer ? Id : never
}[OperationId]

/** Answered at once. */
export type ReadId = WithTransaction<false>

/** Prepared as plans. */
export type PlanId = WithTransaction<true>

export type SourceClass = Table[OperationId]["sources"][number]

/** The classes that a request may choose between. */
export type Source = Extract<SourceClass, "onchain" | "indexer">

export const isOperationId = (id: string): id is OperationId => Object.hasOwn(operationTable, id)

export const operationIds: ReadonlyArray<OperationId> = Object.keys(operationTable).filter(isOperationId)

const isSource = (source: string): source is Source => source === "onchain" || source === "indexer"

/** Those that a request may name. */
export const selectableSources = (id: OperationId): ReadonlyArray<Source> =>
  operationTable[id].sources.filter(isSource)

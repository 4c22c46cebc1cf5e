/**
 * The operations that are answered at once, as they are declared. `declareOperation` stands in a file free of
 * services and gives id, input (from inputs/ReadInputs.ts), output and problems; `defineOperation(declared, run)`
 * stands in another, with its line in Runs.ts. Titles are in framework/Words.ts, kinds in OperationTable.ts.
 */
import { decodeCalldata, getContract, listCapabilities } from "./development/Declarations.ts"
import { modelEconomics } from "./economics/Declarations.ts"
import {
  getAccount,
  getActivity,
  getIndexerStatus,
  getOmnichainGroup,
  resolveProject,
  searchProjects
} from "./indexed/Declarations.ts"
import { getIntent, prepareIntent } from "./intents/Declarations.ts"
import { getLoan, quoteLoan } from "./loans/Declarations.ts"
import { prepareProjectMetadata } from "./metadata/Declarations.ts"
import { getPermissions, getPosition } from "./positions/Declarations.ts"
import { getBridges, getProject } from "./projects/Declarations.ts"
import { quoteCashOut, quotePay, quotePayout } from "./quotes/Declarations.ts"
import {
  getReference,
  getWebclientReference,
  listReferences,
  listWebclientReferences,
  planIntegration,
  searchReference
} from "./references/Declarations.ts"
import { getRevnet } from "./revnets/Declarations.ts"
import { getRouting } from "./routing/Declarations.ts"
import { getRulesets, previewRulesetChange } from "./rulesets/Declarations.ts"
import { get721Shop, quote721Pay } from "./shops/Declarations.ts"

/** By reference: written out, the types of all schemas together are more than a declaration file holds. */
export interface Register {
  readonly get_contract: typeof getContract
  readonly decode_calldata: typeof decodeCalldata
  readonly list_capabilities: typeof listCapabilities
  readonly prepare_project_metadata: typeof prepareProjectMetadata
  readonly get_intent: typeof getIntent
  readonly prepare_intent: typeof prepareIntent
  readonly plan_integration: typeof planIntegration
  readonly search_reference: typeof searchReference
  readonly get_reference: typeof getReference
  readonly list_references: typeof listReferences
  readonly get_webclient_reference: typeof getWebclientReference
  readonly list_webclient_references: typeof listWebclientReferences
  readonly resolve_project: typeof resolveProject
  readonly search_projects: typeof searchProjects
  readonly get_project: typeof getProject
  readonly get_account: typeof getAccount
  readonly get_activity: typeof getActivity
  readonly get_indexer_status: typeof getIndexerStatus
  readonly get_omnichain_group: typeof getOmnichainGroup
  readonly get_bridges: typeof getBridges
  readonly get_rulesets: typeof getRulesets
  readonly get_position: typeof getPosition
  readonly get_permissions: typeof getPermissions
  readonly model_economics: typeof modelEconomics
  readonly quote_loan: typeof quoteLoan
  readonly get_loan: typeof getLoan
  readonly get_routing: typeof getRouting
  readonly get_721_shop: typeof get721Shop
  readonly quote_721_pay: typeof quote721Pay
  readonly get_revnet: typeof getRevnet
  readonly quote_pay: typeof quotePay
  readonly quote_cash_out: typeof quoteCashOut
  readonly quote_payout: typeof quotePayout
  readonly preview_ruleset_change: typeof previewRulesetChange
}

export const register: Register = {
  get_contract: getContract,
  decode_calldata: decodeCalldata,
  list_capabilities: listCapabilities,
  prepare_project_metadata: prepareProjectMetadata,
  get_intent: getIntent,
  prepare_intent: prepareIntent,
  plan_integration: planIntegration,
  search_reference: searchReference,
  get_reference: getReference,
  list_references: listReferences,
  get_webclient_reference: getWebclientReference,
  list_webclient_references: listWebclientReferences,
  resolve_project: resolveProject,
  search_projects: searchProjects,
  get_project: getProject,
  get_account: getAccount,
  get_activity: getActivity,
  get_indexer_status: getIndexerStatus,
  get_omnichain_group: getOmnichainGroup,
  get_bridges: getBridges,
  get_rulesets: getRulesets,
  get_position: getPosition,
  get_permissions: getPermissions,
  model_economics: modelEconomics,
  quote_loan: quoteLoan,
  get_loan: getLoan,
  get_routing: getRouting,
  get_721_shop: get721Shop,
  quote_721_pay: quote721Pay,
  get_revnet: getRevnet,
  quote_pay: quotePay,
  quote_cash_out: quoteCashOut,
  quote_payout: quotePayout,
  preview_ruleset_change: previewRulesetChange
}

export type RegisteredId = keyof Register

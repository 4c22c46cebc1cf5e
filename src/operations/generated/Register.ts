/** Written by `npm run operations` from the folders of the operations: the declarations of those that are answered at once. */
import { getRulesets } from "../configuration/get_rulesets/Declaration.ts"
import { previewRulesetChange } from "../configuration/preview_ruleset_change/Declaration.ts"
import { decodeCalldata } from "../development/decode_calldata/Declaration.ts"
import { getContract } from "../development/get_contract/Declaration.ts"
import { getReference } from "../development/get_reference/Declaration.ts"
import { getWebclientReference } from "../development/get_webclient_reference/Declaration.ts"
import { listCapabilities } from "../development/list_capabilities/Declaration.ts"
import { listReferences } from "../development/list_references/Declaration.ts"
import { listWebclientReferences } from "../development/list_webclient_references/Declaration.ts"
import { planIntegration } from "../development/plan_integration/Declaration.ts"
import { searchReference } from "../development/search_reference/Declaration.ts"
import type { AnyDeclared } from "../framework/Operation.ts"
import { getIntent } from "../metadata/get_intent/Declaration.ts"
import { prepareIntent } from "../metadata/prepare_intent/Declaration.ts"
import { prepareProjectMetadata } from "../metadata/prepare_project_metadata/Declaration.ts"
import { get721Shop } from "../nfts/get_721_shop/Declaration.ts"
import { quote721Pay } from "../nfts/quote_721_pay/Declaration.ts"
import { getBridges } from "../omnichain/get_bridges/Declaration.ts"
import { getOmnichainGroup } from "../omnichain/get_omnichain_group/Declaration.ts"
import { modelEconomics } from "../payments/model_economics/Declaration.ts"
import { quoteCashOut } from "../payments/quote_cash_out/Declaration.ts"
import { quotePay } from "../payments/quote_pay/Declaration.ts"
import { quotePayout } from "../payments/quote_payout/Declaration.ts"
import { getAccount } from "../projects/get_account/Declaration.ts"
import { getActivity } from "../projects/get_activity/Declaration.ts"
import { getIndexerStatus } from "../projects/get_indexer_status/Declaration.ts"
import { getPermissions } from "../projects/get_permissions/Declaration.ts"
import { getPosition } from "../projects/get_position/Declaration.ts"
import { getProject } from "../projects/get_project/Declaration.ts"
import { resolveProject } from "../projects/resolve_project/Declaration.ts"
import { searchProjects } from "../projects/search_projects/Declaration.ts"
import { getLoan } from "../revnets/get_loan/Declaration.ts"
import { getRevnet } from "../revnets/get_revnet/Declaration.ts"
import { quoteLoan } from "../revnets/quote_loan/Declaration.ts"
import { getRouting } from "../routing/get_routing/Declaration.ts"
import type { ReadId } from "./OperationIds.ts"

/** By reference: written out, the types of all schemas together are more than a declaration file holds. */
export interface Register extends Readonly<Record<ReadId, AnyDeclared>> {
  readonly prepare_project_metadata: typeof prepareProjectMetadata
  readonly resolve_project: typeof resolveProject
  readonly search_projects: typeof searchProjects
  readonly get_project: typeof getProject
  readonly get_rulesets: typeof getRulesets
  readonly get_position: typeof getPosition
  readonly get_account: typeof getAccount
  readonly get_activity: typeof getActivity
  readonly get_indexer_status: typeof getIndexerStatus
  readonly get_permissions: typeof getPermissions
  readonly get_bridges: typeof getBridges
  readonly get_omnichain_group: typeof getOmnichainGroup
  readonly quote_pay: typeof quotePay
  readonly quote_cash_out: typeof quoteCashOut
  readonly quote_payout: typeof quotePayout
  readonly model_economics: typeof modelEconomics
  readonly preview_ruleset_change: typeof previewRulesetChange
  readonly quote_loan: typeof quoteLoan
  readonly get_loan: typeof getLoan
  readonly get_routing: typeof getRouting
  readonly get_721_shop: typeof get721Shop
  readonly quote_721_pay: typeof quote721Pay
  readonly get_revnet: typeof getRevnet
  readonly plan_integration: typeof planIntegration
  readonly get_webclient_reference: typeof getWebclientReference
  readonly list_webclient_references: typeof listWebclientReferences
  readonly get_intent: typeof getIntent
  readonly prepare_intent: typeof prepareIntent
  readonly search_reference: typeof searchReference
  readonly get_reference: typeof getReference
  readonly get_contract: typeof getContract
  readonly decode_calldata: typeof decodeCalldata
  readonly list_references: typeof listReferences
  readonly list_capabilities: typeof listCapabilities
}

export const register: Register = {
  prepare_project_metadata: prepareProjectMetadata,
  resolve_project: resolveProject,
  search_projects: searchProjects,
  get_project: getProject,
  get_rulesets: getRulesets,
  get_position: getPosition,
  get_account: getAccount,
  get_activity: getActivity,
  get_indexer_status: getIndexerStatus,
  get_permissions: getPermissions,
  get_bridges: getBridges,
  get_omnichain_group: getOmnichainGroup,
  quote_pay: quotePay,
  quote_cash_out: quoteCashOut,
  quote_payout: quotePayout,
  model_economics: modelEconomics,
  preview_ruleset_change: previewRulesetChange,
  quote_loan: quoteLoan,
  get_loan: getLoan,
  get_routing: getRouting,
  get_721_shop: get721Shop,
  quote_721_pay: quote721Pay,
  get_revnet: getRevnet,
  plan_integration: planIntegration,
  get_webclient_reference: getWebclientReference,
  list_webclient_references: listWebclientReferences,
  get_intent: getIntent,
  prepare_intent: prepareIntent,
  search_reference: searchReference,
  get_reference: getReference,
  get_contract: getContract,
  decode_calldata: decodeCalldata,
  list_references: listReferences,
  list_capabilities: listCapabilities
}

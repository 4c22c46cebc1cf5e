/** Written by `npm run operations` from the folders of the operations: what those do that are answered at once. */
import { runGetRulesets } from "../configuration/get_rulesets/Run.ts"
import { runPreviewRulesetChange } from "../configuration/preview_ruleset_change/Run.ts"
import { runDecodeCalldata } from "../development/decode_calldata/Run.ts"
import { runGetContract } from "../development/get_contract/Run.ts"
import { runGetReference } from "../development/get_reference/Run.ts"
import { runGetWebclientReference } from "../development/get_webclient_reference/Run.ts"
import { runListCapabilities } from "../development/list_capabilities/Run.ts"
import { runListReferences } from "../development/list_references/Run.ts"
import { runListWebclientReferences } from "../development/list_webclient_references/Run.ts"
import { runPlanIntegration } from "../development/plan_integration/Run.ts"
import { runSearchReference } from "../development/search_reference/Run.ts"
import type { Operation } from "../framework/Operation.ts"
import { runGetIntent } from "../metadata/get_intent/Run.ts"
import { runPrepareIntent } from "../metadata/prepare_intent/Run.ts"
import { runPrepareProjectMetadata } from "../metadata/prepare_project_metadata/Run.ts"
import { runGet721Shop } from "../nfts/get_721_shop/Run.ts"
import { runQuote721Pay } from "../nfts/quote_721_pay/Run.ts"
import { runGetBridges } from "../omnichain/get_bridges/Run.ts"
import { runGetOmnichainGroup } from "../omnichain/get_omnichain_group/Run.ts"
import { runModelEconomics } from "../payments/model_economics/Run.ts"
import { runQuoteCashOut } from "../payments/quote_cash_out/Run.ts"
import { runQuotePay } from "../payments/quote_pay/Run.ts"
import { runQuotePayout } from "../payments/quote_payout/Run.ts"
import { runGetAccount } from "../projects/get_account/Run.ts"
import { runGetActivity } from "../projects/get_activity/Run.ts"
import { runGetIndexerStatus } from "../projects/get_indexer_status/Run.ts"
import { runGetPermissions } from "../projects/get_permissions/Run.ts"
import { runGetPosition } from "../projects/get_position/Run.ts"
import { runGetProject } from "../projects/get_project/Run.ts"
import { runResolveProject } from "../projects/resolve_project/Run.ts"
import { runSearchProjects } from "../projects/search_projects/Run.ts"
import { runGetLoan } from "../revnets/get_loan/Run.ts"
import { runGetRevnet } from "../revnets/get_revnet/Run.ts"
import { runQuoteLoan } from "../revnets/quote_loan/Run.ts"
import { runGetRouting } from "../routing/get_routing/Run.ts"
import type { ReadId } from "./OperationIds.ts"

/** By reference, as the declarations. */
type All = {
  readonly prepare_project_metadata: typeof runPrepareProjectMetadata
  readonly resolve_project: typeof runResolveProject
  readonly search_projects: typeof runSearchProjects
  readonly get_project: typeof runGetProject
  readonly get_rulesets: typeof runGetRulesets
  readonly get_position: typeof runGetPosition
  readonly get_account: typeof runGetAccount
  readonly get_activity: typeof runGetActivity
  readonly get_indexer_status: typeof runGetIndexerStatus
  readonly get_permissions: typeof runGetPermissions
  readonly get_bridges: typeof runGetBridges
  readonly get_omnichain_group: typeof runGetOmnichainGroup
  readonly quote_pay: typeof runQuotePay
  readonly quote_cash_out: typeof runQuoteCashOut
  readonly quote_payout: typeof runQuotePayout
  readonly model_economics: typeof runModelEconomics
  readonly preview_ruleset_change: typeof runPreviewRulesetChange
  readonly quote_loan: typeof runQuoteLoan
  readonly get_loan: typeof runGetLoan
  readonly get_routing: typeof runGetRouting
  readonly get_721_shop: typeof runGet721Shop
  readonly quote_721_pay: typeof runQuote721Pay
  readonly get_revnet: typeof runGetRevnet
  readonly plan_integration: typeof runPlanIntegration
  readonly get_webclient_reference: typeof runGetWebclientReference
  readonly list_webclient_references: typeof runListWebclientReferences
  readonly get_intent: typeof runGetIntent
  readonly prepare_intent: typeof runPrepareIntent
  readonly search_reference: typeof runSearchReference
  readonly get_reference: typeof runGetReference
  readonly get_contract: typeof runGetContract
  readonly decode_calldata: typeof runDecodeCalldata
  readonly list_references: typeof runListReferences
  readonly list_capabilities: typeof runListCapabilities
}

export const runs: All = {
  prepare_project_metadata: runPrepareProjectMetadata,
  resolve_project: runResolveProject,
  search_projects: runSearchProjects,
  get_project: runGetProject,
  get_rulesets: runGetRulesets,
  get_position: runGetPosition,
  get_account: runGetAccount,
  get_activity: runGetActivity,
  get_indexer_status: runGetIndexerStatus,
  get_permissions: runGetPermissions,
  get_bridges: runGetBridges,
  get_omnichain_group: runGetOmnichainGroup,
  quote_pay: runQuotePay,
  quote_cash_out: runQuoteCashOut,
  quote_payout: runQuotePayout,
  model_economics: runModelEconomics,
  preview_ruleset_change: runPreviewRulesetChange,
  quote_loan: runQuoteLoan,
  get_loan: runGetLoan,
  get_routing: runGetRouting,
  get_721_shop: runGet721Shop,
  quote_721_pay: runQuote721Pay,
  get_revnet: runGetRevnet,
  plan_integration: runPlanIntegration,
  get_webclient_reference: runGetWebclientReference,
  list_webclient_references: runListWebclientReferences,
  get_intent: runGetIntent,
  prepare_intent: runPrepareIntent,
  search_reference: runSearchReference,
  get_reference: runGetReference,
  get_contract: runGetContract,
  decode_calldata: runDecodeCalldata,
  list_references: runListReferences,
  list_capabilities: runListCapabilities
} satisfies { readonly [Id in ReadId]: Operation<unknown> }

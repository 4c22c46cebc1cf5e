/** What the registered operations do; each has its line in Register.ts too. */
import { runDecodeCalldata } from "./development/DecodeCalldata.ts"
import { runGetContract } from "./development/GetContract.ts"
import { runListCapabilities } from "./development/ListCapabilities.ts"
import { runModelEconomics } from "./economics/ModelEconomics.ts"
import type { Operation } from "./framework/Operation.ts"
import { runGetAccount } from "./indexed/GetAccount.ts"
import { runGetActivity } from "./indexed/GetActivity.ts"
import { runGetIndexerStatus } from "./indexed/GetIndexerStatus.ts"
import { runGetOmnichainGroup } from "./indexed/GetOmnichainGroup.ts"
import { runResolveProject } from "./indexed/ResolveProject.ts"
import { runSearchProjects } from "./indexed/SearchProjects.ts"
import { runGetIntent } from "./intents/GetIntent.ts"
import { runPrepareIntent } from "./intents/PrepareIntent.ts"
import { runGetLoan } from "./loans/GetLoan.ts"
import { runQuoteLoan } from "./loans/QuoteLoan.ts"
import { runPrepareProjectMetadata } from "./metadata/PrepareProjectMetadata.ts"
import { runGetPermissions } from "./positions/GetPermissions.ts"
import { runGetPosition } from "./positions/GetPosition.ts"
import { runGetBridges } from "./projects/GetBridges.ts"
import { runGetProject } from "./projects/GetProject.ts"
import { runQuoteCashOut } from "./quotes/QuoteCashOut.ts"
import { runQuotePay } from "./quotes/QuotePay.ts"
import { runQuotePayout } from "./quotes/QuotePayout.ts"
import type { RegisteredId } from "./Register.ts"
import { runPlanIntegration } from "./references/PlanIntegration.ts"
import {
  runGetReference,
  runGetWebclientReference,
  runListReferences,
  runListWebclientReferences
} from "./references/ReadReferences.ts"
import { runSearchReference } from "./references/SearchReference.ts"
import { runGetRevnet } from "./revnets/GetRevnet.ts"
import { runGetRouting } from "./routing/GetRouting.ts"
import { runGetRulesets } from "./rulesets/GetRulesets.ts"
import { runPreviewRulesetChange } from "./rulesets/PreviewRulesetChange.ts"
import { runGet721Shop } from "./shops/Get721Shop.ts"
import { runQuote721Pay } from "./shops/Quote721Pay.ts"

export const runs = {
  get_contract: runGetContract,
  decode_calldata: runDecodeCalldata,
  list_capabilities: runListCapabilities,
  prepare_project_metadata: runPrepareProjectMetadata,
  get_intent: runGetIntent,
  prepare_intent: runPrepareIntent,
  plan_integration: runPlanIntegration,
  search_reference: runSearchReference,
  get_reference: runGetReference,
  list_references: runListReferences,
  get_webclient_reference: runGetWebclientReference,
  list_webclient_references: runListWebclientReferences,
  resolve_project: runResolveProject,
  search_projects: runSearchProjects,
  get_project: runGetProject,
  get_account: runGetAccount,
  get_activity: runGetActivity,
  get_indexer_status: runGetIndexerStatus,
  get_omnichain_group: runGetOmnichainGroup,
  get_bridges: runGetBridges,
  get_rulesets: runGetRulesets,
  get_position: runGetPosition,
  get_permissions: runGetPermissions,
  model_economics: runModelEconomics,
  quote_loan: runQuoteLoan,
  get_loan: runGetLoan,
  get_routing: runGetRouting,
  get_721_shop: runGet721Shop,
  quote_721_pay: runQuote721Pay,
  get_revnet: runGetRevnet,
  quote_pay: runQuotePay,
  quote_cash_out: runQuoteCashOut,
  quote_payout: runQuotePayout,
  preview_ruleset_change: runPreviewRulesetChange
} as const satisfies { readonly [Id in RegisteredId]: Operation<unknown> }

/** Says what this deployment can do, from its settings and chains alone. */
import { Effect } from "effect"
import { ChainClient } from "../chain/ChainClient.ts"
import { COST_SCOPE } from "../plans/Plan.ts"
import { Settings, type SettingsShape } from "../settings/Settings.ts"
import { DOMAIN_NAME, DOMAIN_VERSION } from "../values/TypedData.ts"
import { MAXIMUM_RESPONSE_BYTES } from "./Answer.ts"
import { ACCOUNT_BODY_BYTES, BODY_BYTES } from "./api/Access.ts"
import type { Capabilities, LimitName } from "./api/Capabilities.ts"
import { MAXIMUM_TARGET } from "./RequestTarget.ts"

const limits = (settings: SettingsShape): Record<LimitName, number | ReadonlyArray<number>> => ({
  bodyBytes: BODY_BYTES,
  accountBodyBytes: ACCOUNT_BODY_BYTES,
  bodyDeadlineMs: 15_000,
  responseBytes: MAXIMUM_RESPONSE_BYTES,
  targetBytes: MAXIMUM_TARGET,
  timeoutMs: 60_000,
  requestsPerMinute: settings.quotas.owner,
  botRequestsPerMinute: settings.quotas.bots,
  maxConcurrentRequests: settings.maximumInWork,
  signatureWindowSeconds: 300,
  futureAllowanceSeconds: 30,
  nonceBytes: 32,
  profileNameBytes: 120,
  botLabelBytes: 120,
  biographyBytes: 2000,
  avatarUriBytes: 2048,
  grantExpiryDays: 365,
  accounts: settings.accountCap,
  grantsPerAccount: 100,
  noncesPerAccount: 1000,
  noncesReservedForOwner: 32,
  nonceCleanupBatch: 10_000,
  contractWalletDeadlineMs: 5_000,
  approvalSeconds: 300,
  approvalFutureAllowanceSeconds: 30,
  planCalls: 32,
  userOperationCalls: 16,
  indexerPageSize: 50,
  indexerFields: 48,
  indexerCursorBytes: 4096,
  indexerStatusChains: 8,
  catalogPageSize: 100,
  catalogOffset: 100_000,
  omnichainMembers: 8,
  sessionDays: [7, 30],
  safeInteger: Number.MAX_SAFE_INTEGER
})

const authentication: Capabilities["authentication"] = {
  scheme: "eip712-request-signature",
  enrollment: "/api/v1/accounts/enroll",
  scopeProfiles: [["read"], ["read", "plan"], ["read", "plan", "relay"]],
  staticCredentials: false,
  planOwnership: "account-and-grant",
  domain: { name: DOMAIN_NAME, version: DOMAIN_VERSION, salt: "keccak256 of the UTF-8 audience" },
  window: { maximumSeconds: 300, futureAllowanceSeconds: 30 }
}

const transactions = (
  settings: SettingsShape,
  chains: Capabilities["chains"]
): Capabilities["transactions"] => ({
  transports: ["signed-eoa-transaction"],
  chains: chains.map(({ id, confirmations }) => ({ chainId: id, confirmations })),
  authorization: { apiGrantsAuthorizeOnchainSigning: false, freshOwnerApprovalRequired: true },
  journeys: { maximumCalls: 32, atomicAcrossChains: false, receiptProvesDestinationSettlement: false },
  limits: {
    planTtlMs: settings.plans.ttlSeconds * 1000,
    maximumRawBytes: settings.plans.maximumRawBytes,
    maximumGas: String(settings.plans.maximumGas),
    maximumFeePerGas: String(settings.plans.maximumFeePerGas),
    maximumTransactionCost: String(settings.plans.maximumTransactionCost),
    costScope: COST_SCOPE
  }
})

const unavailable = { state: "unavailable" } as const

export const describeCapabilities = Effect.gen(function* () {
  const settings = yield* Settings
  const chains = yield* (yield* ChainClient).chains
  const networks = [
    ...(settings.indexer.mainnetUrl === undefined ? [] : (["mainnet"] as const)),
    ...(settings.indexer.testnetUrl === undefined ? [] : (["testnet"] as const))
  ]
  const described: Capabilities = {
    version: "1",
    protocolVersion: 6,
    audience: settings.audience,
    authentication,
    chains,
    limits: limits(settings),
    transactions: transactions(settings, chains),
    sponsorship: unavailable,
    userOperations: unavailable,
    sessions: unavailable,
    smartAccounts: unavailable,
    omnichain: { available: true, atomicAcrossChains: false, receiptConfirmsBridgeSettlement: false },
    sources: {
      onchain: { canonicalBlockHash: true },
      indexer: { canonicalBlockHash: false, pagination: "cursor", protocolVersion: 6, networks }
    },
    catalogs: {
      contracts: "/api/v1/catalog/contracts",
      indexer: "/api/v1/catalog/indexer",
      operations: "/api/v1/catalog/operations"
    }
  }
  return described
})

/** Says what this deployment can do, from its settings and chains alone. */
import { Effect } from "effect"
import { AVATAR_BYTES, BIOGRAPHY_BYTES, LABEL_BYTES, NAME_BYTES } from "../accounts/Account.ts"
import { LONGEST_GRANT_DAYS } from "../accounts/BotRegistration.ts"
import { RETAINED_GRANTS } from "../accounts/GrantStore.ts"
import { LIVE_NONCES } from "../accounts/LedgerVerdict.ts"
import { CLEANUP_BATCH } from "../accounts/NonceCleanup.ts"
import { NONCE_BYTES } from "../auth/SignedRequest.ts"
import { CATALOG_PAGES } from "../catalog/CatalogSchemas.ts"
import { ChainClient } from "../chain/ChainClient.ts"
import { direct } from "../direct/Direct.ts"
import { MOST_CHAINS } from "../indexer/IndexerSchemas.ts"
import { LIMITS } from "../indexer/Limits.ts"
import { REVIEW_SECONDS, REVIEW_VERSION } from "../payments/PaymentReview.ts"
import { COST_SCOPE, MAXIMUM_CALLS, type TransportName } from "../plans/Plan.ts"
import { MOST_MEMBERS } from "../projects/OmnichainSchemas.ts"
import type { ContractNames } from "../protocol/ContractNames.ts"
import { PinnedContracts } from "../protocol/PinnedContracts.ts"
import { sessionGuard } from "../sessions/AskedSession.ts"
import { SESSION_ACTION_KINDS, SESSION_DAYS } from "../sessions/SessionInput.ts"
import { Settings, type SettingsShape } from "../settings/Settings.ts"
import { CONTRACT_DEADLINE_MS } from "../signatures/Signatures.ts"
import type { SmartManifest } from "../smartaccounts/Manifest.ts"
import { Manifests } from "../smartaccounts/Manifests.ts"
import { SPONSORED } from "../sponsorship/CommittedSponsorship.ts"
import { forwarderIn } from "../sponsorship/ForwarderAt.ts"
import { OPERATED } from "../useroperations/CommittedOperation.ts"
import { MAX_SAFE } from "../values/Scalars.ts"
import { APPROVAL_WINDOW, DOMAIN_NAME, DOMAIN_VERSION, REQUEST_WINDOW } from "../values/TypedData.ts"
import { MAXIMUM_WALLET_CALLS } from "../values/WalletExecution.ts"
import { MAXIMUM_RESPONSE_BYTES } from "./Answer.ts"
import { ACCOUNT_BODY_BYTES, BODY_BYTES } from "./api/Access.ts"
import type { Capabilities, PaymentsCapability } from "./api/Capabilities.ts"
import { ANSWER_DEADLINE_MS } from "./Connections.ts"
import { BODY_DEADLINE_MS } from "./Reading.ts"
import { MAXIMUM_TARGET } from "./RequestTarget.ts"

const limits = (settings: SettingsShape): Capabilities["limits"] => ({
  bodyBytes: BODY_BYTES,
  accountBodyBytes: ACCOUNT_BODY_BYTES,
  bodyDeadlineMs: BODY_DEADLINE_MS,
  responseBytes: MAXIMUM_RESPONSE_BYTES,
  targetBytes: MAXIMUM_TARGET,
  timeoutMs: ANSWER_DEADLINE_MS,
  requestsPerMinute: settings.quotas.owner,
  botRequestsPerMinute: settings.quotas.bots,
  maxConcurrentRequests: settings.maximumInWork,
  signatureWindowSeconds: REQUEST_WINDOW.maximumSeconds,
  futureAllowanceSeconds: REQUEST_WINDOW.futureAllowanceSeconds,
  nonceBytes: NONCE_BYTES,
  profileNameBytes: NAME_BYTES,
  botLabelBytes: LABEL_BYTES,
  biographyBytes: BIOGRAPHY_BYTES,
  avatarUriBytes: AVATAR_BYTES,
  grantExpiryDays: LONGEST_GRANT_DAYS,
  accounts: settings.accountCap,
  grantsPerAccount: RETAINED_GRANTS,
  noncesPerAccount: LIVE_NONCES.perAccount,
  noncesReservedForOwner: LIVE_NONCES.reservedForOwner,
  nonceCleanupBatch: CLEANUP_BATCH,
  contractWalletDeadlineMs: CONTRACT_DEADLINE_MS,
  approvalSeconds: APPROVAL_WINDOW.maximumSeconds,
  approvalFutureAllowanceSeconds: APPROVAL_WINDOW.futureAllowanceSeconds,
  planCalls: MAXIMUM_CALLS,
  userOperationCalls: MAXIMUM_WALLET_CALLS,
  indexerPageSize: LIMITS.maxRows,
  indexerFields: LIMITS.maxFields,
  indexerCursorBytes: LIMITS.maxCursorBytes,
  indexerStatusChains: MOST_CHAINS,
  catalogPageSize: CATALOG_PAGES.maximumSize,
  catalogOffset: CATALOG_PAGES.maximumOffset,
  omnichainMembers: MOST_MEMBERS,
  sessionDays: SESSION_DAYS,
  safeInteger: MAX_SAFE
})

const authentication: Capabilities["authentication"] = {
  scheme: "eip712-request-signature",
  enrollment: "/api/v1/accounts/enroll",
  scopeProfiles: [["read"], ["read", "plan"], ["read", "plan", "relay"]],
  staticCredentials: false,
  planOwnership: "account-and-grant",
  domain: { name: DOMAIN_NAME, version: DOMAIN_VERSION, salt: "keccak256 of the UTF-8 audience" },
  window: REQUEST_WINDOW
}

type Transporting = Pick<Capabilities, "sponsorship" | "userOperations">

/** By which a plan's steps may leave here. */
const transports = ({ sponsorship, userOperations }: Transporting): ReadonlyArray<TransportName> => [
  direct.name,
  ...("transport" in sponsorship ? [sponsorship.transport] : []),
  ...("transport" in userOperations ? [userOperations.transport] : [])
]

const transactions = (
  settings: SettingsShape,
  chains: Capabilities["chains"],
  transporting: Transporting
): Capabilities["transactions"] => ({
  transports: transports(transporting),
  chains: chains.map(({ id, confirmations }) => ({ chainId: id, confirmations })),
  authorization: { apiGrantsAuthorizeOnchainSigning: false, freshOwnerApprovalRequired: true },
  journeys: {
    maximumCalls: MAXIMUM_CALLS,
    atomicAcrossChains: false,
    receiptProvesDestinationSettlement: false
  },
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

const sponsorship = (
  { sponsorship: settings }: SettingsShape,
  chains: Capabilities["chains"],
  names: ContractNames
): Capabilities["sponsorship"] => {
  if (settings.providerUrl === undefined) return unavailable
  return {
    transport: SPONSORED,
    chains: chains.map(({ id }) => ({
      chainId: id,
      state:
        forwarderIn(contract => names.deploymentsOf(id, contract)) === undefined
          ? "no-forwarder"
          : "available"
    })),
    funding: {
      required: true,
      payer: "owner",
      serverSignsOrFunds: false,
      currency: "native",
      maximumValue: String(settings.maximumFunding)
    },
    signing: {
      eachCallRequiresOwnerSignature: true,
      freshPublicationApprovalRequired: true,
      sessionAuthority: false,
      requestValiditySeconds: settings.requestSeconds
    },
    limits: { callsPerSponsorship: MAXIMUM_CALLS, callsPerChain: MAXIMUM_CALLS },
    atomicAcrossChains: false
  }
}

/** By the entry point of the chain's manifests: without one there is no wallet to act. */
const userOperations = (
  { userOperations: { bundlers, paymasters } }: SettingsShape,
  manifests: ReadonlyArray<SmartManifest>
): Capabilities["userOperations"] => {
  const acting = manifests.filter(({ mode }) => mode === "execution")
  const providers = bundlers.flatMap(({ chainId }) => {
    const points = acting.filter(each => each.chainId === chainId).map(({ pins }) => pins.entryPoint.address)
    const paymasterConfigured = paymasters.some(each => each.chainId === chainId)
    return [...new Set(points)].map(entryPoint => ({
      chainId,
      providerId: `bundler:${chainId}`,
      entryPoint,
      paymasterConfigured
    }))
  })
  return providers.length === 0
    ? unavailable
    : {
        transport: OPERATED,
        version: "0.7",
        providers,
        sessionMaximumCallsPerOperation: 1,
        ownerMaximumCallsPerOperation: MAXIMUM_WALLET_CALLS,
        automaticResubmission: false,
        privateKeysStored: false
      }
}

/** A guard of several manifests is told once. */
const sessions = (manifests: ReadonlyArray<SmartManifest>): Capabilities["sessions"] => {
  const guards = manifests.flatMap(manifest => {
    const guard = sessionGuard(manifest)
    return guard === undefined ? [] : [{ chainId: manifest.chainId, ...guard }]
  })
  const chains = guards.map(({ chainId, address, runtimeCodeHash }) => ({
    chainId,
    guard: address,
    runtimeCodeHash
  }))
  const distinct = [...new Map(chains.map(each => [`${each.chainId}:${each.guard}`, each])).values()]
  return distinct.length === 0
    ? unavailable
    : { durationsDays: SESSION_DAYS, availableActions: SESSION_ACTION_KINDS, chains: distinct }
}

/** Of the pilot's manifests that there are. */
const walletPayments = (
  { walletPayments: settings }: SettingsShape,
  all: ReadonlyArray<SmartManifest>
): PaymentsCapability => {
  if (settings === undefined) return unavailable
  const { issuer, rpId, manifestIds } = settings
  const known = all.map(({ id }) => id).filter(id => manifestIds.includes(id))
  return {
    version: REVIEW_VERSION,
    ...{ issuer, rpId, manifestIds: known },
    payments: ["v6-pay"],
    userVerificationRequired: true,
    reviewSeconds: REVIEW_SECONDS
  }
}

const smartAccounts = (
  settings: SettingsShape,
  all: ReadonlyArray<SmartManifest>
): Capabilities["smartAccounts"] =>
  all.length === 0
    ? unavailable
    : {
        manifests: all.map(({ id, chainId, mode, revision }) => ({ id, chainId, mode, revision })),
        walletPayments: walletPayments(settings, all)
      }

export const describeCapabilities = Effect.gen(function* () {
  const settings = yield* Settings
  const chains = yield* (yield* ChainClient).chains
  const manifests = (yield* Manifests).all
  const networks = [
    ...(settings.indexer.mainnetUrl === undefined ? [] : (["mainnet"] as const)),
    ...(settings.indexer.testnetUrl === undefined ? [] : (["testnet"] as const))
  ]
  const transporting: Transporting = {
    sponsorship: sponsorship(settings, chains, (yield* PinnedContracts).names),
    userOperations: userOperations(settings, manifests)
  }
  const described: Capabilities = {
    version: "1",
    protocolVersion: 6,
    audience: settings.audience,
    authentication,
    chains,
    limits: limits(settings),
    transactions: transactions(settings, chains, transporting),
    ...transporting,
    sessions: sessions(manifests),
    smartAccounts: smartAccounts(settings, manifests),
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

/** What a deployment says of itself, with no member beyond these. */
import { Schema } from "effect"
import { REVIEW_VERSION } from "../../payments/PaymentReview.ts"
import { SESSION_ACTION_KINDS } from "../../sessions/SessionInput.ts"
import { ManifestId, ManifestTerms } from "../../smartaccounts/Manifest.ts"
import { Address, Bytes32, ChainId } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"

const Unavailable = strict({ state: Schema.Literal("unavailable") })

const Authentication = strict({
  scheme: Schema.Literal("eip712-request-signature"),
  enrollment: Schema.String,
  scopeProfiles: Schema.Array(Schema.Array(Schema.String)),
  staticCredentials: Schema.Literal(false),
  planOwnership: Schema.Literal("account-and-grant"),
  domain: strict({ name: Schema.String, version: Schema.String, salt: Schema.String }),
  window: strict({ maximumSeconds: Schema.Int, futureAllowanceSeconds: Schema.Int })
})

const Chain = strict({
  id: ChainId,
  name: Schema.String,
  testnet: Schema.Boolean,
  confirmations: Schema.Int,
  finality: strict({ safe: Schema.Boolean, finalized: Schema.Boolean })
})

const Limits = strict({
  bodyBytes: Schema.Int,
  accountBodyBytes: Schema.Int,
  bodyDeadlineMs: Schema.Int,
  responseBytes: Schema.Int,
  targetBytes: Schema.Int,
  timeoutMs: Schema.Int,
  requestsPerMinute: Schema.Int,
  botRequestsPerMinute: Schema.Int,
  maxConcurrentRequests: Schema.Int,
  signatureWindowSeconds: Schema.Int,
  futureAllowanceSeconds: Schema.Int,
  nonceBytes: Schema.Int,
  profileNameBytes: Schema.Int,
  botLabelBytes: Schema.Int,
  biographyBytes: Schema.Int,
  avatarUriBytes: Schema.Int,
  grantExpiryDays: Schema.Int,
  accounts: Schema.Int,
  grantsPerAccount: Schema.Int,
  noncesPerAccount: Schema.Int,
  noncesReservedForOwner: Schema.Int,
  nonceCleanupBatch: Schema.Int,
  contractWalletDeadlineMs: Schema.Int,
  approvalSeconds: Schema.Int,
  approvalFutureAllowanceSeconds: Schema.Int,
  planCalls: Schema.Int,
  userOperationCalls: Schema.Int,
  indexerPageSize: Schema.Int,
  indexerFields: Schema.Int,
  indexerCursorBytes: Schema.Int,
  indexerStatusChains: Schema.Int,
  catalogPageSize: Schema.Int,
  catalogOffset: Schema.Int,
  omnichainMembers: Schema.Int,
  sessionDays: Schema.Array(Schema.Int),
  safeInteger: Schema.Int
})

const Transactions = strict({
  transports: Schema.Array(Schema.String),
  chains: Schema.Array(strict({ chainId: ChainId, confirmations: Schema.Int })),
  authorization: strict({
    apiGrantsAuthorizeOnchainSigning: Schema.Literal(false),
    freshOwnerApprovalRequired: Schema.Literal(true)
  }),
  journeys: strict({
    maximumCalls: Schema.Int,
    atomicAcrossChains: Schema.Literal(false),
    receiptProvesDestinationSettlement: Schema.Literal(false)
  }),
  limits: strict({
    planTtlMs: Schema.Int,
    maximumRawBytes: Schema.Int,
    maximumGas: Schema.String,
    maximumFeePerGas: Schema.String,
    maximumTransactionCost: Schema.String,
    costScope: Schema.String
  })
})

const Sponsoring = strict({
  transport: Schema.Literal("forwarder-prepaid-erc2771"),
  chains: Schema.Array(strict({ chainId: ChainId, state: Schema.Literal("available", "no-forwarder") })),
  funding: strict({
    required: Schema.Literal(true),
    payer: Schema.Literal("owner"),
    serverSignsOrFunds: Schema.Literal(false),
    currency: Schema.Literal("native"),
    maximumValue: Schema.String
  }),
  signing: strict({
    eachCallRequiresOwnerSignature: Schema.Literal(true),
    freshPublicationApprovalRequired: Schema.Literal(true),
    sessionAuthority: Schema.Literal(false),
    requestValiditySeconds: Schema.Int
  }),
  limits: strict({ callsPerSponsorship: Schema.Int, callsPerChain: Schema.Int }),
  atomicAcrossChains: Schema.Literal(false)
})

const Operating = strict({
  transport: Schema.Literal("eip4337-user-operation"),
  version: Schema.Literal("0.7"),
  providers: Schema.Array(
    strict({
      chainId: ChainId,
      providerId: Schema.String,
      entryPoint: Schema.typeSchema(Address),
      paymasterConfigured: Schema.Boolean
    })
  ),
  sessionMaximumCallsPerOperation: Schema.Literal(1),
  ownerMaximumCallsPerOperation: Schema.Int,
  automaticResubmission: Schema.Literal(false),
  privateKeysStored: Schema.Literal(false)
})

const Permitting = strict({
  durationsDays: Schema.Tuple(Schema.Literal(7), Schema.Literal(30)),
  availableActions: Schema.Array(Schema.Literal(...SESSION_ACTION_KINDS)),
  chains: Schema.Array(
    strict({ chainId: ChainId, guard: Schema.typeSchema(Address), runtimeCodeHash: Bytes32 })
  )
})

const Payments = strict({
  version: Schema.Literal(REVIEW_VERSION),
  issuer: Schema.String,
  rpId: Schema.String,
  manifestIds: Schema.Array(ManifestId),
  payments: Schema.Tuple(Schema.Literal("v6-pay")),
  userVerificationRequired: Schema.Literal(true),
  reviewSeconds: Schema.Int
})

const PaymentsCapability = Schema.Union(Unavailable, Payments)
export type PaymentsCapability = typeof PaymentsCapability.Type

const SmartAccounts = strict({
  manifests: Schema.Array(
    strict({
      id: ManifestId,
      chainId: ChainId,
      mode: ManifestTerms.fields.mode,
      revision: Bytes32
    })
  ),
  walletPayments: PaymentsCapability
})

export const Capabilities = strict({
  version: Schema.Literal("1"),
  protocolVersion: Schema.Literal(6),
  audience: Schema.String,
  authentication: Authentication,
  chains: Schema.Array(Chain),
  limits: Limits,
  transactions: Transactions,
  sponsorship: Schema.Union(Unavailable, Sponsoring),
  userOperations: Schema.Union(Unavailable, Operating),
  sessions: Schema.Union(Unavailable, Permitting),
  smartAccounts: Schema.Union(Unavailable, SmartAccounts),
  omnichain: strict({
    available: Schema.Boolean,
    atomicAcrossChains: Schema.Literal(false),
    receiptConfirmsBridgeSettlement: Schema.Literal(false)
  }),
  sources: strict({
    onchain: strict({ canonicalBlockHash: Schema.Literal(true) }),
    indexer: strict({
      canonicalBlockHash: Schema.Literal(false),
      pagination: Schema.Literal("cursor"),
      protocolVersion: Schema.Literal(6),
      networks: Schema.Array(Schema.Literal("mainnet", "testnet"))
    })
  }),
  catalogs: strict({ contracts: Schema.String, indexer: Schema.String, operations: Schema.String })
}).annotations({ identifier: "Capabilities" })
export type Capabilities = typeof Capabilities.Type

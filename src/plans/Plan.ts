/** The plan record as clients see it: exact proposed calls, what they rest on, and what became of each. */
import { Schema } from "effect"
import { Evidence } from "../values/Evidence.ts"
import {
  Address,
  Bytes32,
  ChainId,
  Hex,
  PlanId,
  PositiveUint256,
  Uint256,
  UnixMillis
} from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { StepRevert } from "./StepRevert.ts"

export const MAXIMUM_CALLS = 32
export const MAXIMUM_CALLDATA_BYTES = 131_072
export const MAXIMUM_LABEL = 160
export const MAXIMUM_WARNINGS = 64
export const MAXIMUM_RECORD_BYTES = 1_048_576

export const COST_SCOPE =
  "native value plus gas limit times the signed fee cap; chain-specific extra fees excluded"
export const CONFIRMATION_SCOPE =
  "receipts on each call's own chain at its configured confirmations; no settlement on another chain is implied"

const checksummed = Schema.typeSchema(Address)
const exactOptional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

export const StepIndex = Schema.Int.pipe(Schema.between(0, MAXIMUM_CALLS - 1)).annotations({
  identifier: "StepIndex",
  description: "the position of a call in its plan, from 0 to 31"
})

const DecodedCall = strict({
  contractId: Schema.String,
  abiHash: Schema.String,
  function: Schema.String,
  args: Schema.Array(Schema.Unknown)
}).annotations({ identifier: "DecodedCall" })

export const Call = strict({
  chainId: ChainId,
  to: checksummed,
  data: Hex,
  value: Uint256,
  label: Schema.String,
  dependsOn: Schema.Array(StepIndex),
  decoded: DecodedCall
}).annotations({ identifier: "Call" })
export type Call = typeof Call.Type

export const StepState = Schema.Literal(
  "ready",
  "blocked",
  "reserved",
  "submitted",
  "unknown",
  "confirming",
  "confirmed",
  "reverted",
  "reorged"
)
export type StepState = typeof StepState.Type

const TransactionType = Schema.Literal("legacy", "eip2930", "eip1559")

export const StepTransaction = strict({
  hash: Bytes32,
  sender: checksummed,
  chainId: ChainId,
  nonce: Uint256,
  type: TransactionType,
  gas: Uint256,
  maximumFeePerGas: Uint256,
  maximumCost: Uint256,
  costScope: Schema.String
}).annotations({ identifier: "StepTransaction" })
export type StepTransaction = typeof StepTransaction.Type

export const DispatchStatus = Schema.Literal("in-flight", "submitted", "already-observed", "unknown")
export type DispatchStatus = typeof DispatchStatus.Type

export const Dispatch = strict({
  status: DispatchStatus,
  hash: Bytes32,
  count: Schema.NonNegativeInt,
  reservedAt: UnixMillis,
  broadcastAt: exactOptional(UnixMillis),
  retryAfterMs: exactOptional(Schema.Positive.pipe(Schema.int())),
  error: exactOptional(strict({ code: Schema.Literal("BROADCAST_UNCERTAIN"), message: Schema.String }))
}).annotations({
  identifier: "Dispatch",
  description:
    "What became of the newest claim to send the step's bytes. in-flight: the claim lives and nothing else is sent; after retryAfterMs the identical bytes may be submitted again, also past the plan's expiry. A broadcastAt beside it says that the bytes left and that their chain was seen without them since."
})
export type Dispatch = typeof Dispatch.Type

export const TransportName = Schema.Literal(
  "signed-eoa-transaction",
  "forwarder-prepaid-erc2771",
  "eip4337-user-operation"
)
export type TransportName = typeof TransportName.Type

const Execution = strict({
  transport: TransportName,
  bindingId: Schema.String,
  chainId: ChainId,
  hash: exactOptional(Bytes32)
}).annotations({ identifier: "Execution" })

const Finality = Schema.Literal("latest", "safe", "finalized", "unknown")

export const StoredReceipt = strict({
  transactionHash: Bytes32,
  blockHash: Bytes32,
  blockNumber: Uint256,
  status: Schema.Literal("success", "reverted"),
  confirmations: Schema.NonNegativeInt,
  finality: Finality,
  canonical: Schema.Boolean,
  observedAt: UnixMillis,
  logs: Schema.Tuple(),
  logCount: Schema.NonNegativeInt,
  logsHash: Bytes32,
  logsStored: Schema.Literal(false)
}).annotations({
  identifier: "Receipt",
  description:
    "A stored receipt keeps the number of its logs and the Keccak-256 of their canonical JSON, not the logs."
})
export type StoredReceipt = typeof StoredReceipt.Type

export const Semantic = strict({
  status: Schema.Literal("verified", "unmodeled", "unknown", "failed"),
  verifier: exactOptional(Schema.String),
  events: exactOptional(Schema.Array(Schema.Unknown)),
  reason: exactOptional(
    Schema.String.annotations({
      description:
        "Why it is so. WALLET_NONCE_CONSUMED, FORWARD_NONCE_CONSUMED, OPERATION_NONCE_CONSUMED: another transaction, request or operation has the step's nonce for good; look at what the wallet sent before it is done again. WALLET_NONCE_PASSED, FORWARD_NONCE_PASSED, OPERATION_NONCE_PASSED: that may be the step itself: wait."
    })
  ),
  revert: exactOptional(StepRevert)
}).annotations({ identifier: "Semantic" })
export type Semantic = typeof Semantic.Type

/** Of a step that left by another way than its wallet's own transaction. */
export const ExternalState = Schema.Literal(
  "pending",
  "unknown",
  "confirming",
  "confirmed",
  "reverted",
  "reorged",
  "lapsed"
)
export type ExternalState = typeof ExternalState.Type

const ExternalExecution = strict({
  transport: TransportName,
  bindingId: Schema.String,
  chainId: ChainId,
  transactionHash: exactOptional(Bytes32),
  state: ExternalState
}).annotations({
  identifier: "ExternalExecution",
  description:
    "What became of a step that others execute, by its chain alone. lapsed: it was not executed, and no block can execute it any more."
})

/** How a step was found within the transaction that executed it; an operation tells of itself by its event. */
export const ExecutionProof = Schema.Literal("direct", "batched", "traced", "operation")
export type ExecutionProof = typeof ExecutionProof.Type

export const Step = strict({
  index: StepIndex,
  state: StepState,
  blockedBy: Schema.Array(StepIndex),
  dispatch: exactOptional(Dispatch),
  transaction: exactOptional(StepTransaction),
  execution: exactOptional(Execution),
  externalExecution: exactOptional(ExternalExecution),
  receipt: exactOptional(StoredReceipt),
  semantic: exactOptional(Semantic)
}).annotations({ identifier: "Step" })
export type Step = typeof Step.Type

export const PlanStatus = Schema.Literal(
  "transactions_confirmed",
  "blocked",
  "reorged",
  "partial",
  "pending",
  "expired",
  "prepared"
)
export type PlanStatus = typeof PlanStatus.Type

const PlanProject = strict({
  chainId: ChainId,
  projectId: PositiveUint256,
  version: Schema.Literal(6)
})

/** A wallet of several owners, in the state in which it is bound to the account. */
export const PlanSmartAccount = strict({
  bindingId: Bytes32,
  stateHash: Bytes32,
  chainId: ChainId,
  address: checksummed,
  manifestId: Schema.String,
  manifestRevision: Bytes32
}).annotations({
  identifier: "PlanSmartAccount",
  description:
    "The bound wallet whose calls these are, and the state that it was in at the plan's block; its owners send them as user operations."
})
export type PlanSmartAccount = typeof PlanSmartAccount.Type

/** What the commitment covers; it never changes once stored. */
export const PlanTerms = {
  operation: Schema.String,
  account: checksummed,
  project: exactOptional(PlanProject),
  summary: Schema.Unknown,
  calls: Schema.Array(Call),
  evidence: Schema.Array(Evidence),
  warnings: Schema.Array(Schema.String),
  smartAccount: exactOptional(PlanSmartAccount)
}

export const Plan = strict({
  id: PlanId,
  ...PlanTerms,
  commitment: Bytes32,
  createdAt: UnixMillis,
  expiresAt: UnixMillis,
  restoredAt: exactOptional(UnixMillis),
  revision: Schema.NonNegativeInt,
  status: PlanStatus,
  steps: Schema.Array(Step),
  costScope: Schema.String,
  confirmationScope: Schema.String
}).annotations({
  identifier: "Plan",
  description:
    "A durable plan. Its expiry bounds the first admission of each step only: it is no onchain deadline and recalls nothing, and an admitted step's identical bytes may be submitted again after it. A restoredAt says that the service was restored from a backup then, after the plan was made: such a plan ends at once, and whether a step without a transaction left before is not known here, so look at its wallet before anything is done in its place; submitting its very bytes takes them up where its chain has them. Its commitment is 0x and the SHA-256 of the canonical JSON (RFC 8785: UTF-8, no spaces, keys by UTF-16 code units, no escapes but those that JSON asks for; absent members left out) of {accountId, principalId, operation, account, project, calls, evidence, summary, warnings, expiresAt, smartAccount}, where principalId is owner:<accountId> or bot:<grantId>; compute it anew before anything is signed."
})
export type Plan = typeof Plan.Type

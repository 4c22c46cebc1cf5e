/** The record of a user operation as clients see it: what the wallet's owners or a session's key sign, and what became of it. */
import { Schema } from "effect"
import { Semantic, StepIndex, StoredReceipt } from "../plans/Plan.ts"
import {
  Address,
  Bytes32,
  ChainId,
  Hex,
  PlanId,
  Uint256,
  UnixMillis,
  UnixSeconds
} from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { UserOperation } from "../values/UserOperation.ts"
import { MAXIMUM_WALLET_CALLS } from "../values/WalletExecution.ts"

export const UserOperationId = PlanId.annotations({
  identifier: "UserOperationId",
  description: "a lower-case UUID"
})

const checksummed = Schema.typeSchema(Address)
const exactOptional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

export const OperationStatus = Schema.Literal(
  "confirmed",
  "reverted",
  "confirming",
  "reorged",
  "expired",
  "prepared",
  "submitting",
  "submission_unknown",
  "pending",
  "unknown"
)
export type OperationStatus = typeof OperationStatus.Type

const Members = Schema.Array(strict({ name: Schema.String, type: Schema.String }))

const SafeOpTypedData = strict({
  types: strict({ EIP712Domain: Members, SafeOp: Members }),
  primaryType: Schema.Literal("SafeOp"),
  domain: strict({ chainId: ChainId, verifyingContract: checksummed }),
  message: strict({
    safe: checksummed,
    nonce: Uint256,
    initCode: Schema.String,
    callData: Schema.String,
    verificationGasLimit: Uint256,
    callGasLimit: Uint256,
    preVerificationGas: Uint256,
    maxPriorityFeePerGas: Uint256,
    maxFeePerGas: Uint256,
    paymasterAndData: Schema.String,
    validAfter: UnixSeconds,
    validUntil: UnixSeconds,
    entryPoint: checksummed
  })
})

const OwnerSigning = strict({
  scheme: Schema.Literal("eip712-safe-operation"),
  digest: Bytes32,
  validAfter: UnixSeconds,
  validUntil: UnixSeconds,
  threshold: Schema.Positive.pipe(Schema.int()),
  owners: Schema.Array(checksummed),
  typedData: SafeOpTypedData
}).annotations({
  identifier: "OwnerSigning",
  description:
    "What the wallet's owners sign as EIP-712 typed data, as many as the threshold. The signature of the operation is validAfter and validUntil in 6 bytes each, then the signatures of 65 bytes with v 27 or 28 and a low s, in the ascending order of their signers."
})

export const OperationSession = strict({
  id: PlanId,
  compiledHash: Bytes32,
  generation: Uint256,
  grantId: PlanId,
  permissionId: Bytes32,
  sessionKey: checksummed
}).annotations({
  identifier: "OperationSession",
  description: "The session whose key signs the operation, in the place of the wallet's owners."
})
export type OperationSession = typeof OperationSession.Type

const SessionSigning = strict({
  scheme: Schema.Literal("eip191-session-operation"),
  operationHash: Bytes32,
  digest: Bytes32,
  message: strict({ raw: Bytes32 }),
  permissionId: Bytes32,
  signaturePrefix: Hex
}).annotations({
  identifier: "SessionSigning",
  description:
    "What the session's key signs as personal_sign does, message.raw as 32 bytes; digest is what that comes to. The signature of the operation is signaturePrefix, which is the byte 1, the permission and the session's policy behind the 4 bytes of its length, then the signature of 65 bytes with v 27 or 28 and a low s. The guard holds the operation to the policy's validAfter and validUntil."
})

const OperationNextAction = strict({
  kind: Schema.Literal("sign", "wait", "prepare-again", "none"),
  retryAfterMs: exactOptional(Schema.Positive.pipe(Schema.int())),
  reason: exactOptional(Schema.String)
}).annotations({
  identifier: "OperationNextAction",
  description:
    "What brings it on. sign: have the owners or the session's key sign, then submit. wait: look again after retryAfterMs; of a session's operation that was perhaps sent, reason says what ends it. prepare-again: nothing more comes of it, and reason says from what to prepare anew. none: nothing more is to be done; reason says why where it was not executed as far as is known, and what to look at before anything is done in its place."
})
export type OperationNextAction = typeof OperationNextAction.Type

const Elsewhere = Schema.Literal("open", "lapsed", "superseded", "executed", "unknown").annotations({
  identifier: "Elsewhere",
  description:
    "Whether an operation that was not sent from here was executed, which anybody can have brought about who has its signature; told of one by its id, once the time to send it from here is over. open: not yet, and a block can still execute it, by the nonce that the wallet's next operation of the same validator has too. lapsed: it was not, and no block can any more, by a final one. superseded: its wallet used the nonce otherwise, by another operation or by passing it over, in a final block. executed: it was, and submitting its own signature takes it up. unknown: its chain does not say, or not for good yet."
})
export type Elsewhere = typeof Elsewhere.Type

const OperationObservation = strict({
  transactionHash: exactOptional(Bytes32),
  receipt: exactOptional(StoredReceipt),
  scopedLogs: exactOptional(strict({ count: Schema.NonNegativeInt, hash: Bytes32 })),
  actualGasCost: exactOptional(Uint256),
  semantic: exactOptional(Semantic),
  elsewhere: exactOptional(Elsewhere),
  reason: exactOptional(Schema.String)
}).annotations({
  identifier: "OperationObservation",
  description:
    "What became of it, by its chain alone, whoever had it executed. receipt is of the transaction around it, which may hold other operations; its status is the operation's own, and scopedLogs are the logs of this operation alone. Of several calls the logs do not say which is whose, so their semantic is unknown. reason says what was used by something else, is missing or contradicts itself; an operation that is unknown without one is of a chain that cannot be read now."
})
export type OperationObservation = typeof OperationObservation.Type

export const PublicUserOperation = strict({
  id: UserOperationId,
  planId: PlanId,
  planCommitment: Bytes32,
  stepIndexes: Schema.Array(StepIndex).pipe(Schema.minItems(1), Schema.maxItems(MAXIMUM_WALLET_CALLS)),
  chainId: ChainId,
  entryPoint: checksummed,
  operation: UserOperation,
  operationHash: Bytes32,
  commitment: Bytes32,
  bindingId: Bytes32,
  stateHash: Bytes32,
  session: exactOptional(OperationSession),
  gasPolicyId: Schema.String,
  providerId: Schema.String,
  maximumCost: Uint256,
  createdAt: UnixMillis,
  expiresAt: UnixMillis,
  revision: Schema.NonNegativeInt,
  state: OperationStatus,
  signing: Schema.Union(OwnerSigning, SessionSigning),
  submission: exactOptional(strict({ commitment: Bytes32, startedAt: UnixMillis })),
  observation: exactOptional(OperationObservation),
  nextAction: OperationNextAction
}).annotations({
  identifier: "UserOperation",
  description:
    "A user operation of ERC-4337 v0.7 that was prepared for steps of a wallet's plan, to be signed by the wallet's owners, or by the key of the session that it names, and carried by a bundler. Nothing is reserved by preparing it; it is sent once for ever, and before expiresAt, which is 40 seconds before validUntil at the latest: bundlers take nothing that ends within 30 seconds. maximumCost is what it can cost in wei beside what its calls send; gasPolicyId says who pays: self-funded, or paymaster:<chainId>. The commitment is 0x and the SHA-256 of the canonical JSON of {accountId, principalId, planId, planCommitment, stepIndexes, chainId, entryPoint, operation, operationHash, bindingId, stateHash, session, gasPolicyId, providerId, validAfter, validUntil, expiresAt}, with the times of the policy and with session where there is one, and submission.commitment that of {chainId, entryPoint, operation} with its signature; compute it anew before anything is signed."
})
export type PublicUserOperation = typeof PublicUserOperation.Type

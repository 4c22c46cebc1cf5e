/** What an app has a wallet's owner look at and decide, as clients see it, and the passkey that decides. */
import { Schema } from "effect"
import { StepIndex } from "../plans/Plan.ts"
import { WalletBindingId } from "../smartaccounts/WalletBinding.ts"
import { OperationStatus, UserOperationId } from "../useroperations/PublicUserOperation.ts"
import {
  AccountId,
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

const checksummed = Schema.typeSchema(Address)

export const REVIEW_VERSION = "payment-review-1"
export const MOST_APPROVALS = 2

/** In characters: the page shows it whole. */
export const LONGEST_REVIEWED_MEMO = 512
/** The longest life of one. */
export const REVIEW_SECONDS = 300

export const PaymentReviewId = PlanId.annotations({
  identifier: "PaymentReviewId",
  description: "a lower-case UUID"
})

export const ReviewState = Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9_-]{43}$/)).annotations({
  identifier: "ReviewState",
  description:
    "43 characters of base64url that the app makes anew for each review, as 32 random bytes, and finds again in its callback"
})

const PaymentApp = strict({ origin: Schema.String, callbackUri: Schema.String, grantId: Schema.String })

export const ReviewedPayment = strict({
  kind: Schema.Literal("v6-pay"),
  chainId: ChainId,
  wallet: checksummed,
  token: checksummed,
  symbol: Schema.String,
  decimals: Schema.Int,
  terminal: checksummed,
  projectId: Uint256,
  amount: Uint256,
  beneficiary: checksummed,
  minimumReturnedTokens: Uint256,
  memo: Schema.String,
  approvalStepIndexes: Schema.Array(StepIndex).pipe(Schema.maxItems(MOST_APPROVALS)),
  paymentStepIndex: StepIndex
}).annotations({
  identifier: "ReviewedPayment",
  description:
    "What the wallet pays, read from the calls that are signed; symbol and decimals are the manifest's."
})
export type ReviewedPayment = typeof ReviewedPayment.Type

export const ReviewStatus = Schema.Literal("pending", "approved", "cancelled", "expired")
export type ReviewStatus = typeof ReviewStatus.Type

const Approval = strict({
  signature: Hex.annotations({ description: "the operation's whole signature, for its submission" }),
  signedCommitment: Bytes32.annotations({
    description:
      "what the submission's commitment will be: 0x and the SHA-256 of the canonical JSON of {chainId, entryPoint, operation} with that signature"
  })
}).annotations({ identifier: "PaymentApproval" })

export const PaymentReview = strict({
  id: PaymentReviewId,
  version: Schema.Literal(REVIEW_VERSION),
  state: ReviewState,
  issuer: Schema.String,
  accountId: AccountId,
  app: PaymentApp,
  planId: PlanId,
  operationId: UserOperationId,
  operationCommitment: Bytes32,
  operationHash: Bytes32,
  stepIndexes: Schema.Array(StepIndex),
  payment: ReviewedPayment,
  signing: strict({ digest: Bytes32, validAfter: UnixSeconds, validUntil: UnixSeconds }),
  createdAt: UnixMillis,
  expiresAt: UnixMillis,
  status: ReviewStatus,
  decidedAt: Schema.NullOr(UnixMillis),
  operationState: OperationStatus,
  approval: Schema.NullOr(Approval)
}).annotations({
  identifier: "PaymentReview",
  description:
    "One payment that the owner of a pilot wallet decides on the service's own page, /wallet/payment-reviews/{id}, by a passkey. Once it is approved its app submits the operation with approval.signature; a decision never changes. The page then leads to the app's callbackUri with review, state and iss."
})
export type PaymentReview = typeof PaymentReview.Type

/** Of 1 to 1023 bytes, written in the one way: the bits behind the last byte are zero. */
const CREDENTIAL = /^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-][AQgw]|[A-Za-z0-9_-]{2}[AEIMQUYcgkosw048])?$/
const LONGEST_CREDENTIAL = 1_364

export const CredentialId = Schema.NonEmptyString.pipe(
  Schema.maxLength(LONGEST_CREDENTIAL),
  Schema.pattern(CREDENTIAL)
).annotations({ identifier: "CredentialId", description: "1 to 1023 bytes in base64url without padding" })

const PublicKey = strict({ x: Bytes32, y: Bytes32 }).annotations({
  identifier: "PasskeyPublicKey",
  description: "the point of the passkey on P-256"
})

export const NewCredential = strict({
  bindingId: WalletBindingId,
  credentialId: CredentialId,
  publicKey: PublicKey
})
export type NewCredential = typeof NewCredential.Type

export const Credential = strict({
  bindingId: WalletBindingId,
  wallet: strict({ chainId: ChainId, address: checksummed }),
  owner: checksummed.annotations({ description: "the contract that owns the wallet by this passkey" }),
  credentialId: CredentialId,
  publicKey: PublicKey,
  rpId: Schema.String,
  createdAt: UnixMillis
}).annotations({
  identifier: "PasskeyCredential",
  description: "The passkey that the page of a payment review asks for; a wallet has one."
})
export type Credential = typeof Credential.Type

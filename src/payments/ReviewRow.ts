/** Stored reviews, decoded once, and what they are by now. */
import { Effect, Schema } from "effect"
import { rowDecoder } from "../values/Conforms.ts"
import { Address, Bytes32, Hex } from "../values/Scalars.ts"
import { UserOperation } from "../values/UserOperation.ts"
import { ReviewedPayment, type ReviewStatus } from "./PaymentReview.ts"

const checksummed = Schema.typeSchema(Address)

/** What is kept of it beside the columns: all that is shown. */
export const ReviewTerms = Schema.Struct({
  issuer: Schema.String,
  origin: Schema.String,
  callbackUri: Schema.String,
  payment: ReviewedPayment
})
export type ReviewTerms = typeof ReviewTerms.Type

/** What of the operation's own terms is signed. */
const OperationTerms = Schema.Struct({
  entryPoint: checksummed,
  manifestId: Schema.String,
  operation: UserOperation,
  signing: Schema.Struct({
    digest: Bytes32,
    validAfter: Schema.Number,
    validUntil: Schema.Number
  })
})

const ReviewRow = Schema.Struct({
  id: Schema.String,
  account_id: Schema.String,
  grant_id: Schema.String,
  bot_address: Schema.String,
  revoked_at: Schema.NullOr(Schema.Number),
  operation: Schema.String,
  plan: Schema.String,
  steps: Schema.Array(Schema.Number),
  chain_id: Schema.Number,
  binding: Bytes32,
  commitment: Bytes32,
  operation_hash: Bytes32,
  operation_terms: OperationTerms,
  maximum_cost: Schema.String,
  state: Schema.String,
  terms: ReviewTerms,
  created_at: Schema.Number,
  expires_at: Schema.Number,
  decision: Schema.NullOr(Schema.Literal("approved", "cancelled")),
  decided_at: Schema.NullOr(Schema.Number),
  envelope: Schema.NullOr(Hex),
  signed_commitment: Schema.NullOr(Bytes32),
  claimed: Schema.Boolean,
  is_restored: Schema.Boolean,
  now: Schema.Number
})

export interface StoredReview extends ReviewTerms {
  readonly id: string
  readonly accountId: string
  readonly grantId: string
  readonly botAddress: string
  readonly operationId: string
  readonly planId: string
  readonly stepIndexes: ReadonlyArray<number>
  readonly chainId: number
  readonly bindingId: Bytes32
  readonly operationCommitment: Bytes32
  readonly operationHash: Bytes32
  readonly signed: typeof OperationTerms.Type
  readonly maximumCost: string
  readonly state: string
  readonly createdAt: number
  readonly expiresAt: number
  readonly status: ReviewStatus
  readonly decidedAt: number | undefined
  /** By whichever signature. */
  readonly isSent: boolean
  /** The database was brought back from a backup since, so that it may have been decided without being known here. */
  readonly isRestored: boolean
  readonly approval: { readonly signature: Hex; readonly signedCommitment: Bytes32 } | undefined
}

const decode = rowDecoder(ReviewRow)

type Row = typeof ReviewRow.Type

/** Whose grant was revoked in time has cancelled it; that a restoration ended it says nothing of it. */
const decided = ({
  decision,
  decided_at,
  revoked_at,
  expires_at,
  is_restored,
  now
}: Row): Pick<StoredReview, "status" | "decidedAt"> => {
  if (decision !== null) return { status: decision, decidedAt: decided_at ?? undefined }
  if (is_restored) return { status: "expired", decidedAt: undefined }
  const revokedAt = revoked_at === null ? expires_at : 1000 * revoked_at
  if (revokedAt < expires_at) return { status: "cancelled", decidedAt: revokedAt }
  return { status: expires_at <= now ? "expired" : "pending", decidedAt: undefined }
}

export const reviewFromRow = (row: unknown): Effect.Effect<StoredReview> =>
  Effect.map(Effect.orDie(decode(row)), stored => ({
    ...stored.terms,
    id: stored.id,
    accountId: stored.account_id,
    grantId: stored.grant_id,
    botAddress: stored.bot_address,
    operationId: stored.operation,
    planId: stored.plan,
    stepIndexes: stored.steps,
    chainId: stored.chain_id,
    bindingId: stored.binding,
    operationCommitment: stored.commitment,
    operationHash: stored.operation_hash,
    signed: stored.operation_terms,
    maximumCost: stored.maximum_cost,
    state: stored.state,
    createdAt: stored.created_at,
    expiresAt: stored.expires_at,
    ...decided(stored),
    isSent: stored.claimed,
    isRestored: stored.is_restored,
    approval:
      stored.envelope === null || stored.signed_commitment === null
        ? undefined
        : { signature: stored.envelope, signedCommitment: stored.signed_commitment }
  }))

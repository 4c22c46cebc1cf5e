/** The `ownerApproval` that a bot carries, as it is sent. */
import { Schema } from "effect"
import { Bytes32, UnixSeconds } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"

const principal = { accountId: Schema.String, principalId: Schema.String }

const window = {
  issuedAt: UnixSeconds,
  expiresAt: UnixSeconds,
  nonce: Bytes32,
  signature: Schema.TemplateLiteral("0x", Schema.String).pipe(
    Schema.pattern(/^0x(?:[0-9a-fA-F]{2}){1,8192}$/)
  )
}

export const ApprovalBody = strict({
  ...principal,
  planId: Schema.String,
  commitment: Bytes32,
  stepIndex: Schema.Int.pipe(Schema.between(0, 4_294_967_295)),
  transactionHash: Bytes32,
  ...window
})
export type ApprovalBody = typeof ApprovalBody.Type

export const SponsorshipApprovalBody = strict({
  ...principal,
  sponsorshipId: Schema.String,
  commitment: Bytes32,
  submissionHash: Bytes32,
  ...window
})
export type SponsorshipApprovalBody = typeof SponsorshipApprovalBody.Type

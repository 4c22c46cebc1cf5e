/** The owner's consent to one dispatch by a bot. */
import type { Plan } from "../plans/Plan.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { keccak256 } from "../values/Keccak.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import type { ServiceSponsorshipApproval, ServiceTransactionApproval } from "../values/TypedData.ts"
import { fromHex } from "../values/TypedDataHash.ts"
import { textDigest } from "./Commitment.ts"
import { type Signer, signMessage } from "./Signer.ts"
import { domainFor, freshNonce } from "./SignRequest.ts"
import { realSystem, type System } from "./System.ts"

/** The `ownerApproval` member of a bot's submission. */
export type OwnerApproval = Omit<ServiceTransactionApproval, "audience"> & { readonly signature: string }

interface Approving {
  readonly audience: string
  readonly accountId: string
  /** Of the bot that prepared the plan and will submit what is approved. */
  readonly grantId: string
  /** Unix seconds on the server's clock, such as `client.clock.seconds()`. */
  readonly issuedAt: number
  /** At most 300; 120 when absent. */
  readonly windowSeconds?: number
  readonly system?: System
}

export interface StepToApprove extends Approving {
  readonly plan: Pick<Plan, "id" | "commitment">
  readonly stepIndex: number
  /** The exact serialized signed transaction that the bot will submit. */
  readonly rawSignedTransaction: string
}

const WINDOW_SECONDS = 120

const windowOf = ({ issuedAt, windowSeconds = WINDOW_SECONDS, system = realSystem }: Approving) => ({
  issuedAt,
  expiresAt: issuedAt + windowSeconds,
  nonce: freshNonce(system)
})

/** Signs a `ServiceTransactionApproval` (EIP-712) as the owner; it covers exactly these bytes, this step and this bot, and soon expires. */
export const approveStep = async (owner: Signer, step: StepToApprove): Promise<OwnerApproval> => {
  const { audience, accountId } = step
  const approval = {
    accountId,
    principalId: `bot:${step.grantId}`,
    planId: step.plan.id,
    commitment: step.plan.commitment,
    stepIndex: step.stepIndex,
    transactionHash: keccak256(fromHex(step.rawSignedTransaction)),
    ...windowOf(step)
  }
  const message = { audience, ...approval }
  return {
    ...approval,
    signature: await signMessage(owner, domainFor(audience, accountId), "ServiceTransactionApproval", message)
  }
}

export interface SponsorshipToApprove extends Approving {
  readonly sponsorship: { readonly id: string; readonly commitment: Bytes32 }
  /** The wallet's, in the order of the requests. */
  readonly signatures: ReadonlyArray<string>
}

/** The `ownerApproval` member of a bot's publication. */
export type PublicationApproval = Omit<ServiceSponsorshipApproval, "audience"> & {
  readonly signature: string
}

/** Signs a `ServiceSponsorshipApproval` (EIP-712) as the owner; it covers exactly these signatures and this bot, and soon expires. */
export const approveSponsorship = async (
  owner: Signer,
  publication: SponsorshipToApprove
): Promise<PublicationApproval> => {
  const { audience, accountId, sponsorship, signatures } = publication
  const { id: sponsorshipId, commitment } = sponsorship
  const submitted = { commitment, signatures: signatures.map(each => each.toLowerCase()) }
  const approval = {
    accountId,
    principalId: `bot:${publication.grantId}`,
    sponsorshipId,
    commitment,
    submissionHash: await textDigest(canonicalJson(submitted)),
    ...windowOf(publication)
  }
  const message = { audience, ...approval }
  return {
    ...approval,
    signature: await signMessage(owner, domainFor(audience, accountId), "ServiceSponsorshipApproval", message)
  }
}

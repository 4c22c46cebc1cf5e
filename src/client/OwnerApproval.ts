/** The owner's consent to one dispatch by a bot. */
import type { Plan } from "../plans/Plan.ts"
import { keccak256 } from "../values/Keccak.ts"
import type { ServiceTransactionApproval } from "../values/TypedData.ts"
import { fromHex } from "../values/TypedDataHash.ts"
import { type Signer, signMessage } from "./Signer.ts"
import { domainFor, freshNonce } from "./SignRequest.ts"
import { realSystem, type System } from "./System.ts"

/** The `ownerApproval` member of a bot's submission. */
export type OwnerApproval = Omit<ServiceTransactionApproval, "audience"> & { readonly signature: string }

export interface StepToApprove {
  readonly audience: string
  readonly accountId: string
  /** Of the bot that prepared the plan and will submit the step. */
  readonly grantId: string
  readonly plan: Pick<Plan, "id" | "commitment">
  readonly stepIndex: number
  /** The exact serialized signed transaction that the bot will submit. */
  readonly rawSignedTransaction: string
  /** Unix seconds on the server's clock, such as `client.clock.seconds()`. */
  readonly issuedAt: number
  /** At most 300; 120 when absent. */
  readonly windowSeconds?: number
  readonly system?: System
}

const WINDOW_SECONDS = 120

/** Signs a `ServiceTransactionApproval` (EIP-712) as the owner; it covers exactly these bytes, this step and this bot, and soon expires. */
export const approveStep = async (owner: Signer, step: StepToApprove): Promise<OwnerApproval> => {
  const { audience, accountId, issuedAt, system = realSystem } = step
  const approval = {
    accountId,
    principalId: `bot:${step.grantId}`,
    planId: step.plan.id,
    commitment: step.plan.commitment,
    stepIndex: step.stepIndex,
    transactionHash: keccak256(fromHex(step.rawSignedTransaction)),
    issuedAt,
    expiresAt: issuedAt + (step.windowSeconds ?? WINDOW_SECONDS),
    nonce: freshNonce(system)
  }
  const message = { audience, ...approval }
  return {
    ...approval,
    signature: await signMessage(owner, domainFor(audience, accountId), "ServiceTransactionApproval", message)
  }
}

/** The state of a user operation: pure, from what is stored and the database's time. */
import type { StepFacts } from "../plans/Step.ts"
import type { OperationStatus } from "./PublicUserOperation.ts"

/** Another operation of the wallet executed with its nonce, at a final block. */
export const OPERATION_NONCE_CONSUMED = "OPERATION_NONCE_CONSUMED"
/** Its nonce is used at a final block, and no event says by which operation: perhaps by itself, where its node tells of no logs. */
export const OPERATION_NONCE_PASSED = "OPERATION_NONCE_PASSED"

export interface SendFacts {
  readonly leaseEndsAt: number
  /** Null while nobody has stored one. */
  readonly outcome: "accepted" | "unknown" | null
}

export interface OperationStanding {
  readonly send: SendFacts | undefined
  /** Of its first step, whose fate all of its steps share; undefined while none is bound to it. */
  readonly step: StepFacts | undefined
  readonly isDead: boolean
}

/** A transaction that failed around it executed nothing of it, and evidence that contradicts itself proves nothing. */
const executed = ({ observed, receipt, proof, semantic }: StepFacts): OperationStatus | undefined => {
  if (observed === "reverted") return proof === undefined ? undefined : "reverted"
  if (observed === "confirmed") return proof === undefined ? "unknown" : observed
  if (observed === "confirming" || observed === "reorged") return observed
  return observed === "unknown" && (receipt !== undefined || semantic !== undefined) ? "unknown" : undefined
}

const sent = ({ leaseEndsAt, outcome }: SendFacts, now: number): OperationStatus => {
  if (outcome === "accepted") return "pending"
  return outcome === null && leaseEndsAt > now ? "submitting" : "submission_unknown"
}

/** The first that fits. */
export const operationState = ({ send, step, isDead }: OperationStanding, now: number): OperationStatus => {
  if (send === undefined || step === undefined) return "prepared"
  const seen = executed(step)
  const isConsumed = step.semantic?.reason === OPERATION_NONCE_CONSUMED
  if (isDead && !isConsumed && step.receipt?.canonical !== true) return "expired"
  return seen ?? sent(send, now)
}

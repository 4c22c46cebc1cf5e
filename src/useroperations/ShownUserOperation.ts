/** The public record of a user operation, which follows from what is stored. */
import { isFinalBlock } from "../plans/FinalBlock.ts"
import type { Semantic } from "../plans/Plan.ts"
import type { StepFacts } from "../plans/Step.ts"
import { safeOperationTypedData } from "../values/SafeOperation.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { OPERATION_NONCE_CONSUMED, OPERATION_NONCE_PASSED, operationState } from "./OperationState.ts"
import type {
  Elsewhere,
  OperationNextAction,
  OperationObservation,
  OperationStatus,
  PublicUserOperation
} from "./PublicUserOperation.ts"
import {
  hasLeftOtherwise,
  type OwnersSigning,
  type SessionKeySigning,
  type StoredUserOperation
} from "./UserOperationRow.ts"

const wait = (retryAfterMs: number): OperationNextAction => ({ kind: "wait", retryAfterMs })

const again = (reason: string): OperationNextAction => ({ kind: "prepare-again", reason })

const NEXT: Readonly<Record<OperationStatus, OperationNextAction>> = {
  confirmed: { kind: "none" },
  reverted: again("its calls failed for good: what is left needs a new plan"),
  expired: again("no block can execute it any more: what is left needs a new plan"),
  confirming: wait(2_000),
  reorged: wait(2_000),
  prepared: { kind: "sign" },
  submitting: wait(1_000),
  submission_unknown: wait(5_000),
  pending: wait(2_000),
  unknown: wait(30_000)
}

const ownSteps = ({ id, stepIndexes, facts }: StoredUserOperation): ReadonlyArray<StepFacts> =>
  stepIndexes.flatMap(index => {
    const step = facts[index]
    return step?.binding?.bindingId === id ? [step] : []
  })

/** Of several, what not all of them have: the weakest word counts. */
const semanticOf = (steps: ReadonlyArray<StepFacts>): Semantic | undefined => {
  const told = steps.flatMap(({ semantic }) => semantic ?? [])
  return told.find(({ status }) => status !== "verified") ?? told[0]
}

const observationOf = (
  { scoped }: StoredUserOperation,
  steps: ReadonlyArray<StepFacts>,
  elsewhere: Elsewhere | undefined
): OperationObservation | undefined => {
  if (elsewhere !== undefined) return { elsewhere }
  const [first] = steps
  const receipt = first?.receipt
  const semantic = semanticOf(steps)
  if (receipt === undefined && semantic === undefined) return undefined
  const isSeen = receipt?.canonical === true && scoped?.blockHash === receipt.blockHash
  return {
    ...(receipt === undefined ? {} : { transactionHash: receipt.transactionHash, receipt }),
    ...(isSeen && scoped !== undefined
      ? { scopedLogs: { count: scoped.count, hash: scoped.hash }, actualGasCost: scoped.actualGasCost }
      : {}),
    ...(semantic === undefined ? {} : { semantic }),
    ...(semantic?.reason === undefined ? {} : { reason: semantic.reason })
  }
}

/** Another one would do the same again, so nobody is told to prepare it. */
const SENT_PERHAPS: OperationNextAction = {
  kind: "none",
  reason:
    "it may have been sent before the service was restored from a backup: submitting its own signature again takes it up where its entry point has executed it; else look for its event there before anything is done in its place"
}

const EXECUTED_ELSEWHERE: OperationNextAction = {
  kind: "none",
  reason:
    "it was executed, though not known to be sent from here: submitting its own signature takes it up, and nothing is to be done in its place"
}

const UNTOLD: OperationNextAction = {
  ...wait(5_000),
  reason:
    "the time to send it is over, and its chain does not say now whether it was executed all the same: nothing is to be done in its place before that is known"
}

/** A new plan knows nothing of it. */
const CARRIED: Readonly<Record<"unasked" | Exclude<Elsewhere, "executed" | "unknown">, string>> = {
  unasked:
    "where another bundler may have carried it, its own record tells, and submitting its own signature takes it up",
  open: "a block can still execute it, so what is signed in its place is signed at its own nonce",
  lapsed: "it was not executed, and no block can execute it any more",
  superseded: "it was not executed, for its wallet used the nonce otherwise"
}

/** Whatever it would be refused for as long as what is stored stays so. */
const unsendable = (
  stored: StoredUserOperation,
  elsewhere: Elsewhere | undefined
): OperationNextAction | undefined => {
  const { isBound, isSentPerhaps, expiresAt, planEndsAt, now } = stored
  if (hasLeftOtherwise(stored))
    return { kind: "none", reason: "steps of it have left by another way: their plan says which" }
  if (elsewhere === "executed") return EXECUTED_ELSEWHERE
  if (isSentPerhaps) return SENT_PERHAPS
  if (elsewhere === "unknown") return UNTOLD
  const carried = CARRIED[elsewhere ?? "unasked"]
  if (!isBound)
    return again(
      "its wallet is not bound in the state that it was prepared for: bind it, and prepare a new plan"
    )
  if (planEndsAt <= now) return again(`its plan has ended: what is left needs a new plan; ${carried}`)
  return expiresAt <= now
    ? again(`the time to send it is over: prepare another from its plan, or a new plan; ${carried}`)
    : undefined
}

/** What was done instead may be the same, so nobody is told to do it again. */
const SUPERSEDED: OperationNextAction = {
  kind: "none",
  reason:
    "nothing more can come of it, for another operation of the wallet used its nonce: what that did not do needs a new plan"
}

/** Of which nobody knows whether that was itself. */
const PASSED: OperationNextAction = {
  ...wait(30_000),
  reason:
    "its nonce is used in a final block and no event says by what: it may have been executed, so nothing is to be done in its place before that is known"
}

const BY_REASON: Readonly<Record<string, OperationNextAction | undefined>> = {
  [OPERATION_NONCE_CONSUMED]: SUPERSEDED,
  [OPERATION_NONCE_PASSED]: PASSED
}

const ofItsNonce = (stored: StoredUserOperation): OperationNextAction | undefined =>
  ownSteps(stored).flatMap(({ semantic }) => BY_REASON[semantic?.reason ?? ""] ?? [])[0]

const ENDS_OF_SESSION =
  "it may be executed until its session is over, or is revoked in a final block: no operation of the owners uses its nonce, and the wallet's own call of the entry point's incrementNonce does"

/** Whatever a bundler said of it. */
const mayStillBeExecuted = (state: OperationStatus): boolean =>
  state === "submission_unknown" || state === "pending" || state === "reorged"

/** Its signature names no session, so that its nonce is to be used up before its key has another one. */
const EXPIRED_OF_SESSION = again(
  "no block can execute it under its session any more: what is left needs a new plan"
)

/** What a reorganisation takes back can succeed in another block. */
const FAILED_FOR_NOW = again(
  "its calls failed, in a block that is not final yet: what is left needs a new plan, once that block is"
)

const hasFailedForGood = (stored: StoredUserOperation): boolean =>
  ownSteps(stored).every(({ receipt }) => receipt !== undefined && isFinalBlock(receipt))

const nextOf = (
  state: OperationStatus,
  stored: StoredUserOperation,
  elsewhere: Elsewhere | undefined
): OperationNextAction => {
  if (state === "prepared") return unsendable(stored, elsewhere) ?? NEXT[state]
  const isOfSession = "session" in stored.signing
  if (isOfSession && mayStillBeExecuted(state)) return { ...NEXT[state], reason: ENDS_OF_SESSION }
  if (state === "expired" && isOfSession) return EXPIRED_OF_SESSION
  if (state === "reverted" && !hasFailedForGood(stored)) return FAILED_FOR_NOW
  return (state === "unknown" ? ofItsNonce(stored) : undefined) ?? NEXT[state]
}

const ownersSigning = (
  { chainId, entryPoint, adapter, operation }: StoredUserOperation,
  { digest, validAfter, validUntil, threshold, owners }: OwnersSigning
): PublicUserOperation["signing"] => {
  const times = { validAfter, validUntil }
  const typedData = safeOperationTypedData({ chainId, entryPoint, adapter, operation, ...times })
  return { scheme: "eip712-safe-operation", digest, ...times, threshold, owners, typedData }
}

const sessionSigning = (
  operationHash: Bytes32,
  { digest, session, signaturePrefix }: SessionKeySigning
): PublicUserOperation["signing"] => ({
  scheme: "eip191-session-operation",
  operationHash,
  digest,
  message: { raw: operationHash },
  permissionId: session.permissionId,
  signaturePrefix
})

const shownSigning = (stored: StoredUserOperation): PublicUserOperation["signing"] => {
  const { operationHash, signing } = stored
  return "session" in signing ? sessionSigning(operationHash, signing) : ownersSigning(stored, signing)
}

/** `elsewhere` is told of what was looked for on its chain. */
export const shownUserOperation = (
  stored: StoredUserOperation,
  elsewhere?: Elsewhere
): PublicUserOperation => {
  const { id, planId, planCommitment, stepIndexes, chainId, entryPoint, operation, operationHash } = stored
  const { commitment, bindingId, stateHash, gasPolicyId, providerId, maximumCost, createdAt } = stored
  const { expiresAt, revision, send, isDead } = stored
  const steps = ownSteps(stored)
  const state = operationState({ send, step: steps[0], isDead }, stored.now)
  const observation = observationOf(stored, steps, elsewhere)
  return {
    ...{ id, planId, planCommitment, stepIndexes, chainId, entryPoint, operation, operationHash },
    ...{ commitment, bindingId, stateHash, gasPolicyId, providerId, maximumCost, createdAt },
    ...("session" in stored.signing ? { session: stored.signing.session } : {}),
    ...{ expiresAt, revision, state },
    signing: shownSigning(stored),
    ...(send === undefined ? {} : { submission: { commitment: send.commitment, startedAt: send.startedAt } }),
    ...(observation === undefined ? {} : { observation }),
    nextAction: nextOf(state, stored, elsewhere)
  }
}

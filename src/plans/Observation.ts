/** How an admitted step moves on when its chain is looked at; never forgets what a receipt has shown. */
import { isFinalBlock } from "./FinalBlock.ts"
import type { ExecutionProof, Semantic, StoredReceipt } from "./Plan.ts"
import { mayBeExecuted, type StepFacts } from "./Step.ts"
import type { StepRevert } from "./StepRevert.ts"

export type Observation =
  /** The chain is not one of this process's, which says nothing of it. */
  | { readonly _tag: "Unserved" }
  /** The node could not be asked, or does not have what it needs for an answer. */
  | { readonly _tag: "Unreadable" }
  /** Never seen in a block; `known` when the node holds it. */
  | { readonly _tag: "NoReceipt"; readonly known: boolean }
  /** Never seen in a block nor held by the node, though no claim to send it lives any more. */
  | { readonly _tag: "Forgotten" }
  /** Never to be in a block any more: another transaction has its nonce for good; believed once that was seen often enough. */
  | { readonly _tag: "Replaced"; readonly isBelieved?: boolean }
  /** No transaction is known that could carry it. */
  | { readonly _tag: "Unseen" }
  /** Another request has its nonce, by a final block or not; where no event says so, that is believed once it was seen often enough. */
  | {
      readonly _tag: "Superseded"
      readonly reason: string
      readonly isFinal: boolean
      readonly believedReason?: string
    }
  /** Another block is canonical at the height of the receipt, or none is any more. */
  | { readonly _tag: "Displaced" }
  | {
      readonly _tag: "Mined"
      readonly receipt: StoredReceipt
      readonly required: number
      /** Evaluated on the full logs only once the confirmations are reached. */
      readonly semantic: Semantic | undefined
      readonly proof?: ExecutionProof | undefined
      /** Where it reverted and a node was asked why. */
      readonly revert?: StepRevert
    }

const displaced = (facts: StepFacts): StepFacts => {
  const { receipt, ...rest } = facts
  return {
    ...rest,
    observed: "reorged",
    receipt: receipt === undefined ? undefined : { ...receipt, canonical: false },
    semantic: undefined,
    revert: undefined,
    proof: undefined
  }
}

/** Why a step is in no block, and can be in none. */
export const WALLET_NONCE_CONSUMED = "WALLET_NONCE_CONSUMED"
/** Its nonce is used at a final block, and no receipt shows by which transaction: perhaps by itself, where its node lacks the receipt. */
export const WALLET_NONCE_PASSED = "WALLET_NONCE_PASSED"

export const isConsumed = ({ semantic }: StepFacts): boolean => semantic?.reason === WALLET_NONCE_CONSUMED

export const isPassed = (facts: StepFacts): boolean =>
  isConsumed(facts) || facts.semantic?.reason === WALLET_NONCE_PASSED

const replaced = (facts: StepFacts, isBelieved: boolean): StepFacts => {
  const gone: StepFacts = facts.receipt === undefined ? { ...facts, observed: "unknown" } : displaced(facts)
  const reason = isBelieved || isConsumed(facts) ? WALLET_NONCE_CONSUMED : WALLET_NONCE_PASSED
  return { ...gone, semantic: { status: "unknown", reason } }
}

/** What a chain shows now may be that its nonce is open again. */
const reopened = (facts: StepFacts, observed: "submitted" | "unknown"): StepFacts => ({
  ...facts,
  observed,
  semantic: isPassed(facts) ? undefined : facts.semantic
})

/** What was seen in a block before is told by what became of that block. */
const unseen = (facts: StepFacts): StepFacts =>
  facts.receipt === undefined ? { ...facts, observed: undefined, semantic: undefined } : facts

const isInFinalBlock = ({ receipt }: StepFacts): boolean => receipt !== undefined && isFinalBlock(receipt)

/** A transaction that failed around a request says nothing of what else has its nonce, however final it is. */
const superseded = (facts: StepFacts, reason: string): StepFacts => {
  const isOpen = mayBeExecuted(facts)
  if (isInFinalBlock(facts) && !isOpen) return facts
  const left: StepFacts = isOpen ? { ...facts, revert: undefined } : displaced(facts)
  return { ...left, observed: "unknown", semantic: { status: "unknown", reason } }
}

/** What is final stays; anything else is uncertain while its chain cannot be read. */
const unread = (facts: StepFacts): StepFacts =>
  isInFinalBlock(facts) ? facts : { ...facts, observed: "unknown" }

/** A node that is behind shows the block of what is final with fewer confirmations; that takes nothing back. */
const isBehind = ({ observed, receipt }: StepFacts, seen: StoredReceipt): boolean =>
  (observed === "confirmed" || observed === "reverted") &&
  receipt !== undefined &&
  isFinalBlock(receipt) &&
  receipt.blockHash === seen.blockHash &&
  receipt.confirmations > seen.confirmations

/** Of the same transaction in the same block. */
export const revertBefore = ({ receipt, revert }: StepFacts, { blockHash }: StoredReceipt) =>
  receipt?.blockHash === blockHash ? revert : undefined

const mined = (
  facts: StepFacts,
  { receipt, required, semantic, proof, revert }: Extract<Observation, { _tag: "Mined" }>
): StepFacts => {
  if (isBehind(facts, receipt)) return facts
  if (receipt.confirmations < required)
    return { ...facts, observed: "confirming", receipt, semantic: undefined, revert: undefined, proof }
  if (receipt.status === "reverted")
    return {
      ...facts,
      observed: "reverted",
      receipt,
      semantic:
        semantic?.status === "failed" ? semantic : { status: "failed", reason: "the transaction reverted" },
      revert: revert ?? revertBefore(facts, receipt),
      proof
    }
  return {
    ...facts,
    observed: "confirmed",
    receipt,
    semantic: semantic ?? { status: "unknown", reason: "not evaluated" },
    revert: undefined,
    proof
  }
}

export const next = (facts: StepFacts, observation: Observation): StepFacts => {
  if (facts.binding === undefined) return facts
  switch (observation._tag) {
    case "Unserved":
      return facts
    case "Unreadable":
      return unread(facts)
    case "NoReceipt":
      return observation.known ? reopened(facts, "submitted") : facts
    case "Forgotten":
      return reopened(facts, "unknown")
    case "Replaced":
      return replaced(facts, observation.isBelieved === true)
    case "Unseen":
      return unseen(facts)
    case "Superseded":
      return superseded(facts, observation.reason)
    case "Displaced":
      return displaced(facts)
    case "Mined":
      return mined(facts, observation)
  }
}

/** How far an operation has come, in words: signed, sent, seen by the chain, confirmed, what it did and who paid for it. */
import { formatUnits } from "viem"
import { OPERATION_NONCE_CONSUMED, OPERATION_NONCE_PASSED } from "../../useroperations/OperationState.ts"
import type { OperationObservation, PublicUserOperation } from "../../useroperations/PublicUserOperation.ts"
import { printable } from "../../values/UntrustedText.ts"
import { effectsText, type ProgressLine, reasonSentence } from "../ProgressWords.ts"

type State = PublicUserOperation["state"]

const NAMES: Readonly<Record<State, string>> = {
  prepared: "to be signed",
  submitting: "on its way",
  submission_unknown: "not known",
  pending: "sent",
  confirming: "confirming",
  confirmed: "confirmed",
  reverted: "reverted",
  reorged: "out of the chain again",
  expired: "expired",
  unknown: "unknown"
}

export const operationStanding = ({ state }: Pick<PublicUserOperation, "state">): string => NAMES[state]

const done = (words: string): ProgressLine => ({ words, tone: "done" })
const now = (words: string): ProgressLine => ({ words, tone: "now" })
const bad = (words: string): ProgressLine => ({ words, tone: "bad" })

const UNSEEN: Readonly<Record<Exclude<State, "unknown">, ReadonlyArray<ProgressLine>>> = {
  prepared: [],
  submitting: [now("It is being given to the bundler.")],
  submission_unknown: [
    now("Nobody knows whether the bundler took it: its chain is searched for it, and it is never sent again.")
  ],
  pending: [done("Sent: the bundler took it."), now("Not in a block yet.")],
  confirming: [done("Sent.")],
  confirmed: [done("Sent.")],
  reverted: [done("Sent.")],
  reorged: [done("Sent."), bad("Its block is no longer part of the chain; it may come back in another one.")],
  expired: [bad("It was not executed in time, and never can be any more: what is left needs a new plan.")]
}

const seenText = (blockNumber: string): ProgressLine => done(`Seen by the chain in block ${blockNumber}.`)

/** Without a reason nothing contradicts what was seen of it before. */
const unknownText = ({ receipt, reason }: OperationObservation): ReadonlyArray<ProgressLine> => {
  if (reason === OPERATION_NONCE_CONSUMED)
    return [bad("Its nonce is used by another operation and it is not seen: nothing more comes of it.")]
  if (reason === OPERATION_NONCE_PASSED)
    return [now("Its nonce is used and no event says by what: whether it was executed is being looked for.")]
  if (reason !== undefined) return [bad(`What became of it is not proved: ${printable(reason)}.`)]
  const unread = now("Its chain cannot be read now: what became of it is told once it can be.")
  return receipt?.canonical === true ? [seenText(receipt.blockNumber), unread] : [unread]
}

const confirmations = (count: number, needed: number): string =>
  `${Math.min(count, needed)} of ${needed} confirmation${needed === 1 ? "" : "s"}`

const costText = ({ operation, observation }: PublicUserOperation): ReadonlyArray<ProgressLine> => {
  const cost = observation?.actualGasCost
  if (cost === undefined) return []
  const payer = "paymaster" in operation ? `the paymaster ${operation.paymaster}` : "the wallet"
  return [done(`Its gas cost ${formatUnits(BigInt(cost), 18)} ETH, paid by ${payer}.`)]
}

const isSeen = ({ state }: PublicUserOperation): boolean =>
  state === "confirming" || state === "confirmed" || state === "reverted"

const reasonText = (reason: string | undefined): string =>
  reason === undefined ? "" : `: ${printable(reason)}`

/** Why one that is not known to be sent is sent no more. */
export const whyEnded = (
  { nextAction, expiresAt }: Pick<PublicUserOperation, "nextAction" | "expiresAt">,
  nowMillis: number
): string | undefined => {
  if (nextAction.kind === "none" || nextAction.kind === "wait")
    return `Nothing is sent from here${reasonText(nextAction.reason)}.`
  return expiresAt <= nowMillis ? "It has ended: prepare another one from its plan." : undefined
}

const nextText = ({ nextAction: { reason } }: PublicUserOperation): ReadonlyArray<ProgressLine> =>
  reason === undefined ? [] : [now(reasonSentence(reason))]

/** `needed` are its chain's confirmations. */
export const operationProgress = (
  operation: PublicUserOperation,
  needed: number
): ReadonlyArray<ProgressLine> => {
  const { state } = operation
  const observation: OperationObservation = operation.observation ?? {}
  const { receipt } = observation
  if (state === "unknown") return unknownText(observation)
  const begun = UNSEEN[state]
  if (!isSeen(operation) || receipt === undefined) return begun
  const seen = seenText(receipt.blockNumber)
  const counted = confirmations(receipt.confirmations, needed)
  if (state === "confirming") return [...begun, seen, now(`${counted} so far.`)]
  const cost = costText(operation)
  return state === "reverted"
    ? [
        ...begun,
        seen,
        bad(`Reverted${reasonText(observation.reason)}. Nothing but its gas was spent.`),
        ...cost,
        ...nextText(operation)
      ]
    : [...begun, seen, done(`Confirmed: ${counted}.`), effectsText(observation), ...cost]
}

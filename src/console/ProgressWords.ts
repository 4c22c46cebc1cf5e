/** How far a step has come, in words: sent, seen by the chain, confirmed, and what it did. */
import { isReplaced } from "../client/StepStanding.ts"
import type { Step } from "../plans/Plan.ts"
import { printable } from "../values/UntrustedText.ts"

/** What the wallet's own node tells of a step's transaction. */
export interface ChainLook {
  readonly status: "pending" | "success" | "reverted"
  readonly blockNumber?: bigint
  readonly confirmations: number
}

export interface ProgressLine {
  readonly words: string
  readonly tone: "done" | "now" | "bad"
}

interface Watched {
  readonly step: Step
  /** Of its chain, until a transaction counts as confirmed. */
  readonly needed: number
  readonly look: ChainLook | undefined
  /** Whether the wallet sent a transaction that the service does not follow yet. */
  readonly isUnbound: boolean
}

const counted = (confirmations: number, needed: number): string =>
  `${Math.min(confirmations, needed)} of ${needed} confirmation${needed === 1 ? "" : "s"}`

const done = (words: string): ProgressLine => ({ words, tone: "done" })
const now = (words: string): ProgressLine => ({ words, tone: "now" })
const bad = (words: string): ProgressLine => ({ words, tone: "bad" })

const because = (reason: string | undefined): string => (reason === undefined ? "" : `: ${printable(reason)}`)

/** Of a reason as the service gives it. */
export const reasonSentence = (reason: string): string =>
  `${reason.charAt(0).toUpperCase()}${printable(reason.slice(1))}.`

export const effectsText = ({ semantic }: Pick<Step, "semantic">): ProgressLine => {
  switch (semantic?.status) {
    case "verified":
      return done("Effects verified: the chain did what the plan says.")
    case "failed":
      return bad(
        `Effects failed: the chain did something else than the plan says${because(semantic.reason)}.`
      )
    case "unmodeled":
      return done("Effects are not checked: the service has no model of this call.")
    case "unknown":
      return now(`Effects unknown so far${because(semantic.reason)}.`)
    default:
      return now("Effects are still to be checked.")
  }
}

const revertText = ({ semantic }: Step): string => {
  const revert = semantic?.revert
  if (revert === undefined) return because(semantic?.reason)
  return revert.status === "unknown"
    ? `, nobody knows why: ${printable(revert.reason)}`
    : `: run again, the call says ${printable(revert.name ?? revert.selector ?? "nothing")}`
}

const mined = (
  { step, needed }: Watched,
  receipt: NonNullable<Step["receipt"]>
): ReadonlyArray<ProgressLine> => {
  const seen = `Seen by the chain in block ${receipt.blockNumber}.`
  if (step.state === "reorged" || !receipt.canonical)
    return [bad("Its block is no longer part of the chain; it may come back in another one.")]
  if (step.state === "reverted")
    return [done(seen), bad(`Reverted${revertText(step)}. Nothing but its gas was spent.`)]
  const words = counted(receipt.confirmations, needed)
  if (receipt.status === "reverted") return [done(seen), now(`Reverted there: ${words} so far.`)]
  return step.state === "confirmed"
    ? [done(seen), done(`Confirmed: ${words}.`), effectsText(step)]
    : [done(seen), now(`${words} so far.`)]
}

const looked = ({ needed }: Watched, look: ChainLook): ReadonlyArray<ProgressLine> => {
  if (look.status === "pending") return [now("Not in a block yet, says the wallet's node.")]
  const seen = done(`Seen by the wallet's node in block ${look.blockNumber}.`)
  const words = counted(look.confirmations, needed)
  const isReverted = look.status === "reverted"
  if (look.confirmations < needed)
    return [seen, now(`${isReverted ? "Reverted there: " : ""}${words} so far, says the wallet's node.`)]
  return [
    seen,
    isReverted ? bad("Reverted, says the wallet's node.") : done(`${words}, says the wallet's node.`)
  ]
}

const FOLLOWED = "The service does not follow it yet."

/** Empty for a step that has no transaction. */
export const progressOf = (watched: Watched): ReadonlyArray<ProgressLine> => {
  const { step, look, isUnbound } = watched
  if (step.transaction === undefined && !isUnbound) return []
  const sent = isUnbound ? [done("Sent by the wallet."), now(FOLLOWED)] : [done("Sent.")]
  if (isReplaced(step)) return [...sent, bad("Another transaction of the wallet has its nonce for good.")]
  if (step.receipt !== undefined) return [...sent, ...mined(watched, step.receipt)]
  return look === undefined ? [...sent, now("Not in a block yet.")] : [...sent, ...looked(watched, look)]
}

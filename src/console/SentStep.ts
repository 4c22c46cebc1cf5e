/** A step's transaction that the wallet sent by itself: looked for, compared, and told. */
import type { ServiceProblem } from "../client/Errors.ts"
import { exact, row, untrusted, words } from "../review/Words.ts"
import { button, el, paragraph } from "./Elements.ts"
import { type ToldFailure, tell } from "./Failures.ts"
import { type SentRecord, type StepName, sentNameOf } from "./SentRecord.ts"

export const notFound = (hash: string): ToldFailure => ({
  title: "The chain does not tell of the transaction yet",
  advice:
    "Do not send the step again. Look for it again later; if the wallet replaced it, as by a higher fee, paste the replacement's hash.",
  rows: [row("transaction", exact(hash))]
})

export const CHANGED: ToldFailure = {
  title: "The step is not as the page showed it: the wallet was asked for nothing",
  advice: "It left from elsewhere, or can no longer leave. See below what the service tells of it now.",
  rows: []
}

export const WALLET_ASKED: ToldFailure = {
  title: "The wallet was asked to send a step of this plan",
  advice:
    "Look there first: until it is known what became of that, the plan is not prepared, signed or handed in by another way.",
  rows: []
}

export const NOT_DUE: ToldFailure = {
  title: "The sponsorship does not ask for this payment now: the wallet was asked for nothing",
  advice: "Another plan pays for it, it was paid, or its time is over: see what the sponsorship's page says.",
  rows: []
}

export const NOT_KEPT: ToldFailure = {
  title: "This browser keeps nothing for this page: the wallet was asked for nothing",
  advice:
    "What it sent would be known to nobody once the page is closed. Sign elsewhere and paste the bytes.",
  rows: []
}

export const noHash = (answer: string): ToldFailure => ({
  title: "The wallet told no transaction hash",
  advice:
    "It may have sent a batch (EIP-5792) or called by a smart account. Look in the wallet: where it shows a transaction of this call alone, paste its hash; do not send the step again before.",
  rows: [row("wallet answered", untrusted(answer))]
})

/** Of the same call they would be another transaction. */
export const otherBytes = (hash: string): ToldFailure => ({
  title: "These are not the bytes that the wallet sent",
  advice: "They would do the step once more, so they are not taken: have the service follow what was sent.",
  rows: [row("transaction", exact(hash))]
})

export const nodeHasIt = (hash: string): ToldFailure => ({
  title: "The wallet's node has this transaction",
  advice: "So it is not forgotten: have the service follow it.",
  rows: [row("transaction", exact(hash))]
})

/** The sent transaction stays with the chain, whatever the service says of it now. */
export const notFollowed = (failure: ServiceProblem, isStored: boolean): ToldFailure => ({
  ...tell(failure),
  title: `The transaction was sent; the service does not follow it yet: ${failure.code}`,
  advice: `Do not send it again. Once it is in a block, have the service follow it; ${isStored ? "the hash is kept in this browser" : "note the hash, which this browser does not keep"}.`
})

export const SENT_ALREADY = row(
  "already sent",
  words(
    "by the wallet itself; the service follows it, and passes these bytes on only where its node lacks them"
  )
)

/** Whether what is known of it outlives the page. */
export const isStored = (of: StepName): boolean => {
  try {
    return localStorage.getItem(sentNameOf(of)) !== null
  } catch {
    return false
  }
}

export interface SentActs {
  readonly isStored: boolean
  readonly find: (hash: `0x${string}`) => void
  readonly forget: (hash: `0x${string}`) => void
  /** As the tab that sent it, where its key can be made again. */
  readonly proceed: (() => void) | undefined
}

const PROCEED =
  "The tab that sent it is closed or was loaded anew. Continue, and one signature of the wallet makes its key again."

const proceedView = ({ proceed }: SentActs): ReadonlyArray<HTMLElement> =>
  proceed === undefined
    ? []
    : [paragraph(PROCEED), el("div", { class: "actions" }, button("Continue", proceed, "primary"))]

/** What is kept of a sending whose outcome this page does not know. */
export const sentView = (record: SentRecord, acts: SentActs): ReadonlyArray<HTMLElement> =>
  record === "asked"
    ? [
        el("h3", {}, "The wallet was asked to send this step"),
        paragraph(
          "This page does not know what became of it. Look in the wallet: decline there what still waits; if it was sent, paste its hash; only if it was not, prepare it again."
        ),
        ...proceedView(acts)
      ]
    : [
        el("h3", {}, "The wallet sent this step's transaction"),
        el("p", {}, el("code", {}, record)),
        paragraph(
          acts.isStored
            ? "The service does not follow it yet. The hash is kept in this browser until it does."
            : "The service does not follow it yet. Note the hash: this browser does not keep it."
        ),
        ...proceedView(acts),
        el(
          "div",
          { class: "actions" },
          button(
            "Have the service follow it",
            () => acts.find(record),
            acts.proceed === undefined ? "primary" : "plain"
          ),
          button("It will never be mined: forget it", () => acts.forget(record))
        )
      ]

/** Where the wallet's node was just asked in vain. */
export const forgetView = (forget: () => void): ReadonlyArray<HTMLElement> => [
  paragraph(
    "The wallet's node does not know it now, but may yet. Forget it only if the wallet shows that it was dropped or replaced: what is sent again may be done twice."
  ),
  button("Forget it all the same", forget)
]

const KEY_GONE =
  "Was it this console, in a tab that is closed or signed out? Then the key that prepared the plan is gone, and the service follows this step for nobody else. Do not send it again: this page follows it through the wallet's node."

/** A bot's plan is submitted by the bot. */
export const recordCommand = (planId: string, step: number, hash: string): ReadonlyArray<HTMLElement> => [
  paragraph(
    "A bot prepared this plan, so the bot has the service follow it, with its own key: ",
    el("code", {}, `service plan record ${planId} ${step} ${hash}`)
  ),
  paragraph(KEY_GONE)
]

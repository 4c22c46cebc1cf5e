/** Every failure in words, and what to do about it. */
import { NetworkFailure, ServiceProblem, UnexpectedAnswer, WalletChainMismatch } from "../client/Errors.ts"
import { revertRows } from "../review/RevertRows.ts"
import { exact, type ReviewRow, row, untrusted, words } from "../review/Words.ts"
import { Declined } from "./Prompt.ts"
import { didNothing, isDeclined, isUnknownChain, WalletRefusal } from "./Wallet.ts"

export interface ToldFailure {
  readonly title: string
  readonly advice: string
  readonly rows: ReadonlyArray<ReviewRow>
  /** The chain that the wallet should be on. */
  readonly chainId?: number
}

/** What is in words already. */
export class FailureTold extends Error {
  override readonly name = "FailureTold"
  readonly told: ToldFailure

  constructor(told: ToldFailure) {
    super(told.title)
    this.told = told
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  ACCOUNT_NOT_FOUND: "The service knows no such account: check the wallet's account and the account's chain.",
  PLAN_NOT_FOUND:
    "This wallet's account has no such plan to submit: read the reason, and check this page's address and account.",
  PLAN_EXPIRED: "This plan admits no new step: read the reason before you prepare another.",
  DEPENDENCIES_UNCONFIRMED: "Wait until the steps before it are confirmed, then look again.",
  NONCE_NOT_READY:
    "The wallet has other transactions under way, or the nonce was used meanwhile: prepare the transaction anew.",
  NONCE_RESERVED:
    "The step that the reason names holds this nonce: free it as the reason says, then prepare the transaction anew.",
  STEP_ALREADY_BOUND: "The step has its transaction already: look again.",
  INVALID_SIGNATURE: "Another account signed, or something else: choose this page's account in the wallet.",
  AUTH_EXPIRED: "The signature came too late: try again, and confirm sooner.",
  OWNER_APPROVAL_EXPIRED: "The approval came too late: sign a new one."
}

/** Who signed, and by which mistake of the wallet's, as far as the service found out. */
const signatureRows = ({ diagnosis = {} }: ServiceProblem["problem"]): ReadonlyArray<ReviewRow> =>
  [["signed by", diagnosis.recovered] as const, ["likely cause", diagnosis.likelyCause] as const].flatMap(
    ([name, told]) => (typeof told === "string" ? [row(name, exact(told))] : [])
  )

const problemTold = ({ problem }: ServiceProblem): ToldFailure => {
  const reverts = revertRows(problem)
  const { code, detail, requestId, retryable, context } = problem
  return {
    title: `The service refused: ${code}`,
    advice: ADVICE[code] ?? (retryable ? "Try again in a moment." : "Read the reason below."),
    rows: [
      ...(reverts.length > 0 ? reverts : [row("reason", untrusted(detail))]),
      ...(context === undefined || reverts.length > 0
        ? []
        : [row("context", untrusted(JSON.stringify(context)))]),
      ...signatureRows(problem),
      row("request", exact(requestId))
    ]
  }
}

/** Of a sending that neither went through nor surely did not, nothing is said but where to look. */
const nothingDone = (refusal: WalletRefusal): string => {
  if (/^eth_sign/.test(refusal.method)) return "This was not signed"
  if (refusal.method !== "eth_sendTransaction") return "It did not do what it was asked"
  return didNothing(refusal) ? "Nothing was sent" : "Look in the wallet whether it was sent"
}

const refusalTold = (refusal: WalletRefusal): ToldFailure => ({
  title: isDeclined(refusal) ? "You declined in the wallet" : "The wallet refused",
  advice: isUnknownChain(refusal)
    ? "Add the chain to the wallet, then try again."
    : isDeclined(refusal)
      ? `${nothingDone(refusal)}.`
      : `${nothingDone(refusal)}; see the wallet's reason.`,
  rows: isDeclined(refusal)
    ? []
    : [row("asked", exact(refusal.method)), row("wallet says", untrusted(refusal.message))]
})

const mismatchTold = ({ expected, actual }: WalletChainMismatch): ToldFailure => ({
  title: "The wallet is on another chain",
  advice: "Wallets sign only for the chain they are connected to. Switch the wallet, then try again.",
  rows: [row("wallet is on", words(`chain ${actual}`)), row("needed", words(`chain ${expected}`))],
  chainId: expected
})

export const tell = (failure: unknown): ToldFailure => {
  if (failure instanceof FailureTold) return failure.told
  if (failure instanceof Declined) return { title: "This was not signed", advice: "You cancelled.", rows: [] }
  if (failure instanceof ServiceProblem) return problemTold(failure)
  if (failure instanceof WalletChainMismatch) return mismatchTold(failure)
  if (failure instanceof WalletRefusal) return refusalTold(failure)
  if (failure instanceof NetworkFailure || failure instanceof UnexpectedAnswer)
    return {
      title: "The service did not answer",
      advice:
        "If you were submitting, the outcome is unknown: the same transaction may be submitted again, it is sent once at most.",
      rows: []
    }
  return {
    title: "Something is wrong with the answer or with this page",
    advice: "Sign nothing; load the page again: it may have been renewed.",
    rows: [row("reason", untrusted(failure))]
  }
}

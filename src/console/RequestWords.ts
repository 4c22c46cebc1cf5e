/** What each signature would mean, in words, from the typed data that is about to be signed. */
import type { TypedDataPayload } from "../client/Signer.ts"
import { typedDataRows } from "../review/SigningDigests.ts"
import { instantText } from "../review/Times.ts"
import { exact, type Piece, type ReviewRow, row, words } from "../review/Words.ts"
import type { PromptQuestion } from "./Prompt.ts"
import { requestMeaning } from "./RequestMeanings.ts"

const untilRow = (message: TypedDataPayload["message"]): ReviewRow =>
  row("valid until", words(instantText(Number(message.expiresAt) * 1000)))

const LINE = 160

/** Whole, in as many lines as it takes. */
const targetPieces = (target: string): ReadonlyArray<Piece> =>
  Array.from({ length: Math.ceil(target.length / LINE) }, (_, line) =>
    exact(target.slice(line * LINE, (line + 1) * LINE))
  )

const requestQuestion = (
  { message }: TypedDataPayload,
  about: ReadonlyArray<ReviewRow>
): Omit<PromptQuestion, "digests" | "action"> => {
  const { method, requestTarget, audience, accountId } = message
  return {
    ...requestMeaning(`${method} ${requestTarget}`),
    rows: [
      ...about,
      row("service", exact(audience)),
      row("account", exact(accountId)),
      row("request", exact(method), words(" "), ...targetPieces(String(requestTarget))),
      untilRow(message)
    ]
  }
}

const approvalQuestion = (
  { message }: TypedDataPayload,
  about: ReadonlyArray<ReviewRow>
): Omit<PromptQuestion, "digests" | "action"> => ({
  title: `Approve step ${Number(message.stepIndex)} for the bot`,
  intro:
    "Your signature is your consent that this bot sends exactly the signed transaction below. It covers no other transaction and soon expires.",
  rows: [
    ...about,
    row("service", exact(message.audience)),
    row("bot", exact(message.principalId)),
    row("plan", exact(message.planId)),
    row("commitment", exact(message.commitment)),
    row("transaction", exact(message.transactionHash)),
    untilRow(message)
  ]
})

/** `about` says what the signature is for beyond what the typed data itself tells. */
export const questionFor = (payload: TypedDataPayload, about: ReadonlyArray<ReviewRow>): PromptQuestion => ({
  ...(payload.primaryType === "ServiceTransactionApproval"
    ? approvalQuestion(payload, about)
    : requestQuestion(payload, about)),
  digests: typedDataRows(payload),
  action: "Continue in the wallet"
})

/** What each signature would mean, in words, from the typed data that is about to be signed. */
import type { TypedDataPayload } from "../client/Signer.ts"
import { typedDataRows } from "../review/SigningDigests.ts"
import { exact, type Piece, type ReviewRow, row, words } from "../review/Words.ts"
import type { PromptQuestion } from "./Prompt.ts"
import { type Question, untilRow } from "./Question.ts"
import { requestMeaning } from "./RequestMeanings.ts"

const LINE = 160

/** Whole, in as many lines as it takes. */
const targetPieces = (target: string): ReadonlyArray<Piece> =>
  Array.from({ length: Math.ceil(target.length / LINE) }, (_, line) =>
    exact(target.slice(line * LINE, (line + 1) * LINE))
  )

const requestQuestion: Question = async ({ message }, about) => {
  const { method, requestTarget, audience, accountId } = message
  return {
    ...(await requestMeaning(`${method} ${requestTarget}`)),
    rows: [
      ...about,
      row("service", exact(audience)),
      row("account", exact(accountId)),
      row("request", exact(method), words(" "), ...targetPieces(String(requestTarget))),
      untilRow(message)
    ]
  }
}

const askingFor = async ({ primaryType }: TypedDataPayload): Promise<Question> => {
  if (primaryType === "ServiceRequest") return requestQuestion
  const { QUESTIONS } = await import("./SigningQuestions.ts")
  return QUESTIONS[primaryType] ?? requestQuestion
}

/** `about` says what the signature is for beyond what the typed data itself tells. */
export const questionFor = async (
  payload: TypedDataPayload,
  about: ReadonlyArray<ReviewRow>
): Promise<PromptQuestion> => {
  const asking = await askingFor(payload)
  const asked = await asking(payload, about)
  return { ...asked, digests: typedDataRows(payload), action: "Continue in the wallet" }
}

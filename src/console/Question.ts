/** How a question before a signature is made of the typed data that is about to be signed. */
import type { TypedDataPayload } from "../client/Signer.ts"
import { instantText } from "../review/Times.ts"
import { type ReviewRow, row, words } from "../review/Words.ts"
import type { PromptQuestion } from "./Prompt.ts"

type Asked = Omit<PromptQuestion, "digests" | "action">

export type Question = (payload: TypedDataPayload, about: ReadonlyArray<ReviewRow>) => Asked | Promise<Asked>

export const untilRow = (message: TypedDataPayload["message"]): ReviewRow =>
  row("valid until", words(instantText(Number(message.expiresAt) * 1000)))

/** What each signature would mean, in words, from the typed data that is about to be signed. */
import type { TypedDataPayload } from "../client/Signer.ts"
import { nativeAmount } from "../review/Amounts.ts"
import { typedDataRows } from "../review/SigningDigests.ts"
import { instantText } from "../review/Times.ts"
import { exact, type Piece, type ReviewRow, row, words } from "../review/Words.ts"
import type { PromptQuestion } from "./Prompt.ts"
import { requestMeaning } from "./RequestMeanings.ts"

type Asking = (
  payload: TypedDataPayload,
  about: ReadonlyArray<ReviewRow>
) => Omit<PromptQuestion, "digests" | "action">

const untilRow = (message: TypedDataPayload["message"]): ReviewRow =>
  row("valid until", words(instantText(Number(message.expiresAt) * 1000)))

const LINE = 160

/** Whole, in as many lines as it takes. */
const targetPieces = (target: string): ReadonlyArray<Piece> =>
  Array.from({ length: Math.ceil(target.length / LINE) }, (_, line) =>
    exact(target.slice(line * LINE, (line + 1) * LINE))
  )

const requestQuestion: Asking = ({ message }, about) => {
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

const approvalQuestion: Asking = ({ message }, about) => ({
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

const publicationQuestion: Asking = ({ message }, about) => ({
  title: "Approve the publication for the bot",
  intro:
    "Your signature is your consent that this bot has exactly the signed requests given to the provider, once. They cannot be called back before they end.",
  rows: [
    ...about,
    row("service", exact(message.audience)),
    row("bot", exact(message.principalId)),
    row("sponsorship", exact(message.sponsorshipId)),
    row("commitment", exact(message.commitment)),
    row("signed requests", exact(message.submissionHash)),
    untilRow(message)
  ]
})

const forwardQuestion: Asking = ({ message, domain }, about) => ({
  title: "Sign a request for a forwarder",
  intro:
    "With your signature anybody can have the forwarder make exactly this call as you, once, until it ends, and pay its gas.",
  rows: [
    ...about,
    row("contract", exact(message.to)),
    row("value", ...nativeAmount(String(message.value))),
    row("forwarder", exact(domain.verifyingContract), words(` on chain ${domain.chainId}`)),
    row("nonce", exact(message.nonce)),
    row("gas of the call", exact(message.gas)),
    row("ends", words(instantText(Number(message.deadline) * 1000)))
  ]
})

const ASKING: Readonly<Record<string, Asking>> = {
  ServiceTransactionApproval: approvalQuestion,
  ServiceSponsorshipApproval: publicationQuestion,
  ForwardRequest: forwardQuestion
}

/** `about` says what the signature is for beyond what the typed data itself tells. */
export const questionFor = (payload: TypedDataPayload, about: ReadonlyArray<ReviewRow>): PromptQuestion => ({
  ...(ASKING[payload.primaryType] ?? requestQuestion)(payload, about),
  digests: typedDataRows(payload),
  action: "Continue in the wallet"
})

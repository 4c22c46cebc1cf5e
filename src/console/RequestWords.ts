/** What each signature would mean, in words, from the typed data that is about to be signed. */
import type { TypedDataPayload } from "../client/Signer.ts"
import { typedDataRows } from "../review/SigningDigests.ts"
import { instantText } from "../review/Times.ts"
import { exact, type Piece, type ReviewRow, row, words } from "../review/Words.ts"
import type { PromptQuestion } from "./Prompt.ts"

interface Meaning {
  readonly title: string
  readonly intro: string
}

const READS = "Nothing is moved and nothing is approved by this signature: it only lets the service answer."

const MEANINGS: ReadonlyArray<readonly [RegExp, (found: ReadonlyArray<string>) => Meaning]> = [
  [
    /^POST \/api\/v1\/plans\/[^/]+\/steps\/([0-9]+)\/submissions$/,
    ([, step]) => ({
      title: `Submit step ${step}`,
      intro:
        "Your signature is your consent: the service relays exactly the signed transaction below, once. It cannot be called back."
    })
  ],
  [
    /^GET \/api\/v1\/plans\/[^/]+\/steps\/([0-9]+)\/simulation$/,
    ([, step]) => ({ title: `Simulate step ${step}`, intro: READS })
  ],
  [/^GET \/api\/v1\/plans\/[^/]+\?refresh=true$/, () => ({ title: "Look at the chain again", intro: READS })],
  [/^GET \/api\/v1\/plans\/[^/]+$/, () => ({ title: "Read the plan", intro: READS })],
  [
    /^GET \/api\/v1\/accounts\/me\/bots$/,
    () => ({
      title: "Find out which bot prepared the plan",
      intro: `It is not a plan of your own, so your bots are looked up. ${READS}`
    })
  ],
  [/^GET \/api\/v1\/protocol\/resolve\?/, () => ({ title: "Prove a clone's address", intro: READS })],
  [/^GET \/api\/v1\/protocol\/read\?/, () => ({ title: "Look up a token", intro: READS })]
]

const UNKNOWN: Meaning = {
  title: "A request that this page does not know",
  intro: "Cancel unless you know what it is."
}

const requestMeaning = (request: string): Meaning => {
  for (const [pattern, meaning] of MEANINGS) {
    const found = pattern.exec(request)
    if (found !== null) return meaning(found)
  }
  return UNKNOWN
}

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

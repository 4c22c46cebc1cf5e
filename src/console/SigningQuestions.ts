/** What each signature that is no request of the service would mean; loaded when the first is asked for. */
import { nativeAmount } from "../review/Amounts.ts"
import { instantText } from "../review/Times.ts"
import { exact, row, words } from "../review/Words.ts"
import type { Question } from "./Question.ts"

type Message = Parameters<Question>[0]["message"]

const untilRow = (message: Message) =>
  row("valid until", words(instantText(Number(message.expiresAt) * 1000)))

const approvalQuestion: Question = ({ message }, about) => ({
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

const publicationQuestion: Question = ({ message }, about) => ({
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

const forwardQuestion: Question = ({ message, domain }, about) => ({
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

const bindingQuestion: Question = ({ message, domain }, about) => ({
  title: "Bind a wallet to an account",
  intro:
    "With the signatures of enough owners the account can prepare plans for the wallet. It can move nothing by that, and nothing is sent to a chain.",
  rows: [
    ...about,
    row("wallet", exact(domain.verifyingContract), words(` on chain ${domain.chainId}`)),
    row("account", exact(message.accountId)),
    row("state of the wallet", exact(message.stateHash)),
    untilRow(message)
  ]
})

const keyQuestion: Question = ({ message }, about) => ({
  title: "Make the key of this tab",
  intro:
    "Your wallet's signature and a secret of this page make the key with which this tab signs for you. It moves nothing and gives no rights by itself. No other site has the secret: decline this question anywhere but here.",
  rows: [
    ...about,
    row("service", exact(message.audience)),
    row("account", exact(message.accountId)),
    row("the wallet shows", words(String(message.purpose))),
    row("the secret's hash", exact(message.saltHash))
  ]
})

const actingQuestion: Question = ({ message, domain }, about) => ({
  title: "Sign for the wallet",
  intro:
    "With the signatures of enough owners the wallet does exactly this, once, until it ends, whoever sends it. It cannot be called back.",
  rows: [
    ...about,
    row("wallet", exact(message.safe), words(` on chain ${domain.chainId}`)),
    row("nonce", exact(message.nonce)),
    row("entry point", exact(message.entryPoint)),
    row("checked by", exact(domain.verifyingContract)),
    row("ends", words(instantText(Number(message.validUntil) * 1000)))
  ]
})

/** By the type of what is signed. */
export const QUESTIONS: Readonly<Record<string, Question>> = {
  ServiceTransactionApproval: approvalQuestion,
  ServiceSponsorshipApproval: publicationQuestion,
  ForwardRequest: forwardQuestion,
  ServiceConsoleKey: keyQuestion,
  BindSmartAccount: bindingQuestion,
  SafeOp: actingQuestion
}

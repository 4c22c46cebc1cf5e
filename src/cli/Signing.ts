/** A planned step signed by the wallet that it is planned for, and approved by it where a bot submits. */
import { BOT, type CarryMeans, type SubmitOptions } from "../client/CarryOut.ts"
import type { Signer } from "../client/Signer.ts"
import { realSystem } from "../client/System.ts"
import type { SigningWallet } from "../client/TransactionWallet.ts"
import type { Plan, Step } from "../plans/Plan.ts"
import type { PlanReview } from "../review/PlanReview.ts"
import { transactionRows, typedDataRows } from "../review/SigningDigests.ts"
import { type ReviewRow, sentence } from "../review/Words.ts"
import type { CommandTerminal, Flag } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import { usageFailure } from "./Failure.ts"
import { sandboxOwner } from "./Identity.ts"
import type { Input } from "./Input.ts"
import { accountOfKey, readKeyFile } from "./KeyFile.ts"
import { fileStore, keptPlaces } from "./Pending.ts"
import { rowsText } from "./PlanText.ts"
import { nodeOf, signingTerms } from "./SignTransaction.ts"
import { indented } from "./Table.ts"
import { type Wallet, walletOfKey } from "./Wallet.ts"

export interface Signing extends Connection {
  readonly input: Input
  readonly plan: Plan
  readonly speech: Speech
}

/** What the step does, in one sentence. */
export const toldOf = ({ calls }: PlanReview, { index }: Step): string =>
  sentence(calls[index]?.sentence ?? [])

export const ownerKeyFlag: Flag = {
  name: "owner-key-file",
  value: "<file>",
  help: "The wallet's key, when the request is signed by another; repeat it for several owners of a wallet.",
  repeatable: true
}

/** Says what is about to be signed, with the hashes that a hardware wallet shows; a sentence that stands above already is not said again. */
export interface Speech {
  readonly about: (told: string, isSaid?: boolean) => void
  readonly foretell: (what: string, rows: ReadonlyArray<ReviewRow>) => void
}

export const speechOn = (terminal: CommandTerminal): Speech => {
  let unsaid = ""
  return {
    about: (told, isSaid = false) => {
      unsaid = isSaid ? "" : `${told}\n`
    },
    foretell: (what, rows) => {
      terminal.note(`${unsaid}Signing ${what}:\n${indented(rowsText(rows))}`)
      unsaid = ""
    }
  }
}

const sameAddress = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

/** A plan is handed in by whom it was prepared by. */
const signedElsewhere = ({ client, plan: { id } }: Signing): string =>
  client.principalId.startsWith(BOT)
    ? `Give it with --owner-key-file, or sign and approve on the plan's page, which "service plan show ${id}" names, and hand in what it gives by "service request" as the bot.`
    : 'Give it with --owner-key-file, or sign the call elsewhere and give its bytes to "service plan submit" with --raw.'

const walletOf = async (work: Signing): Promise<Wallet> => {
  const { input, identity, plan } = work
  const paths = input.all("owner-key-file")
  const files = await Promise.all(paths.map(readKeyFile))
  const given = files.length === 0 ? [identity.wallet] : files.map(file => walletOfKey(accountOfKey(file)))
  const wallet = [...given, sandboxOwner()].find(({ address }) => sameAddress(address, plan.account))
  if (wallet !== undefined) return wallet
  throw usageFailure(`The key of the planned wallet ${plan.account} is not here.`, signedElsewhere(work))
}

/** The planned wallet, looked for when it is needed and telling what it signs. */
const telling = (work: Signing): Signer & SigningWallet => ({
  address: work.plan.account,
  signTransaction: async transaction => {
    const wallet = await walletOf(work)
    work.speech.foretell("the transaction", transactionRows(transaction))
    return wallet.signTransaction(transaction)
  },
  signTypedData: async payload => {
    const wallet = await walletOf(work)
    const isRequest = payload.primaryType === "ForwardRequest"
    work.speech.foretell(isRequest ? "a request" : "the owner's approval", typedDataRows(payload))
    return wallet.signTypedData(payload)
  }
})

export const meansOf = (connection: Connection, terminal: CommandTerminal): CarryMeans => {
  const { account: accountId, principalId, plans, audience, clock } = connection.client
  const store = fileStore(terminal, keptPlaces(connection, principalId))
  return { plans, own: { accountId, principalId }, audience, clock, system: realSystem, store }
}

export const submitOptions = (
  work: Signing,
  terminal: CommandTerminal
): SubmitOptions & { readonly wallet: Signer } => {
  const wallet = telling(work)
  return {
    wallet,
    owner: wallet,
    rpc: { request: call => nodeOf(work.input).request(call) },
    store: meansOf(work, terminal).store,
    terms: signingTerms(work.input)
  }
}

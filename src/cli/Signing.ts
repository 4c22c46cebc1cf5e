/** A planned step signed by the wallet that it is planned for, and approved by it where a bot submits. */
import { approveStep } from "../client/OwnerApproval.ts"
import type { StepSubmission } from "../client/Plans.ts"
import type { Signer } from "../client/Signer.ts"
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
import { rowsText } from "./PlanText.ts"
import { transactionFor } from "./SignTransaction.ts"
import { indented } from "./Table.ts"
import { type Wallet, walletOfKey } from "./Wallet.ts"

/** Says what is about to be signed, with the hashes that a hardware wallet shows. */
type Foretell = (what: string, told: string, rows: ReadonlyArray<ReviewRow>) => void

export interface Signing extends Connection {
  readonly input: Input
  readonly plan: Plan
  readonly step: Step
  readonly review: PlanReview
  readonly foretell: Foretell
}

/** What the step does, in one sentence. */
export const toldOf = ({ calls }: PlanReview, { index }: Step): string =>
  sentence(calls[index]?.sentence ?? [])

export const ownerKeyFlag: Flag = {
  name: "owner-key-file",
  value: "<file>",
  help: "The wallet's key, when the request is signed by another."
}

/** `said` is the sentence that stands above already. */
export const foretellingOn = (terminal: CommandTerminal, said = ""): Foretell => {
  let last = said
  return (what, told, rows) => {
    const above = told === last ? "" : `${told}\n`
    last = told
    terminal.note(`${above}Signing ${what}:\n${indented(rowsText(rows))}`)
  }
}

const sameAddress = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

const walletOf = async ({ input, identity, plan }: Signing): Promise<Wallet> => {
  const path = input.value("owner-key-file")
  const given = path === undefined ? identity.wallet : walletOfKey(accountOfKey(await readKeyFile(path)))
  const wallet = [given, sandboxOwner()].find(({ address }) => sameAddress(address, plan.account))
  if (wallet !== undefined) return wallet
  throw usageFailure(
    `The key of the planned wallet ${plan.account} is not here.`,
    "Give it with --owner-key-file, or sign the call elsewhere and give its bytes to service plan submit with --raw as the owner."
  )
}

export const signedBytes = async (work: Signing): Promise<string> => {
  const { input, client, plan, step } = work
  const call = plan.calls[step.index]
  if (call === undefined)
    throw usageFailure(`The plan has no call ${step.index}.`, "Look with service plan show.")
  const wallet = await walletOf(work)
  const estimatedGas = async () => BigInt((await client.plans.simulate(plan.id, step.index)).estimatedGas)
  const transaction = await transactionFor(input, wallet.address, call, estimatedGas)
  work.foretell("the transaction", toldOf(work.review, step), transactionRows(transaction))
  return wallet.signTransaction(transaction)
}

/** The wallet, telling what it signs. */
const telling = ({ foretell, review, step }: Signing, wallet: Wallet): Signer => ({
  address: wallet.address,
  signTypedData: payload => {
    foretell("the owner's approval", toldOf(review, step), typedDataRows(payload))
    return wallet.signTypedData(payload)
  }
})

/** Nothing when the owner submits: the signed request is the approval. */
export const approved = async (work: Signing, rawSignedTransaction: string): Promise<StepSubmission> => {
  const { client, identity, plan, step } = work
  if (identity.grantId === undefined) return { rawSignedTransaction }
  const ownerApproval = await approveStep(telling(work, await walletOf(work)), {
    audience: await client.audience(),
    accountId: client.account,
    grantId: identity.grantId,
    plan,
    stepIndex: step.index,
    rawSignedTransaction,
    issuedAt: client.clock.seconds()
  })
  return { rawSignedTransaction, ownerApproval }
}

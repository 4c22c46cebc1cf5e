/** A new wallet given the chain's currency by the account's own: kept before it leaves, so that it is sent once. */
import { keccak256 } from "viem"
import { plannedTransaction } from "../client/PlannedTransaction.ts"
import { nativeAmount } from "../review/Amounts.ts"
import { sentence } from "../review/Words.ts"
import type { CommandTerminal, Flag } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import type { Input } from "./Input.ts"
import { type Pending, pendingWork } from "./Pending.ts"
import { broadcast, mined } from "./SendRaw.ts"
import { nodeOf, signingTerms } from "./SignTransaction.ts"
import { amountIn, amountOf } from "./verbs/Verb.ts"

export const fundFlag: Flag = {
  name: "fund",
  value: "<amount>",
  help: "What the account's wallet then sends to it: wei, or as in 1.5ether."
}

interface FundingWork extends Connection {
  readonly input: Input
}

interface FundedPlace {
  readonly chainId: number
  readonly address: `0x${string}`
}

export interface Funding extends FundedPlace {
  readonly pending: Pending
  /** Undefined where nothing is to be sent. */
  readonly amount: string | undefined
}

const offered = async (
  { input, identity }: FundingWork,
  { ask }: CommandTerminal
): Promise<string | undefined> => {
  if (input.has("fund") || ask === undefined || input.has("plan-only"))
    return amountIn(input, "fund", "ether")
  const said = await ask(`Send it how much from ${identity.wallet.address}, such as 1ether? [nothing] `)
  const text = said.trim()
  return text === "" ? undefined : (amountOf(text, "ether") ?? input.fail(`"${text}" is no amount.`))
}

/** Where nobody said, the person at the terminal is asked; an earlier run's is gone on with, as it is once it was signed. */
export const keptFunding = async (
  work: FundingWork,
  terminal: CommandTerminal,
  place: FundedPlace,
  isThere = false
): Promise<Funding> => {
  const { baseUrl, client } = work
  const { address, chainId } = place
  const pending = pendingWork(terminal, [baseUrl, client.account, "fund", String(chainId), address])
  const { amount: before, raw } = (await pending.recall()) ?? {}
  const isAsked = before === undefined ? !isThere : raw === undefined && work.input.has("fund")
  const amount = isAsked ? await offered(work, terminal) : before
  if (isAsked && amount !== undefined) await pending.keep({ amount })
  return { ...place, pending, amount }
}

/** Where nothing of its creation was signed, nothing is sent to it by a later run. */
export const forgetFunding = async ({ pending }: Funding): Promise<void> => {
  if ((await pending.recall())?.raw === undefined) await pending.forget()
}

const signedTransfer = async (
  { input, identity }: FundingWork,
  { chainId, address }: FundedPlace,
  amount: string
) => {
  const node = nodeOf(input)
  const { wallet } = identity
  const call = { chainId, to: address, data: "0x", value: amount } as const
  const asked = { from: wallet.address, to: address, value: `0x${BigInt(amount).toString(16)}` }
  const estimated = async () =>
    BigInt(String(await node.request({ method: "eth_estimateGas", params: [asked] })))
  const transaction = await plannedTransaction(node, wallet.address, call, signingTerms(input), estimated)
  return wallet.signTransaction(transaction)
}

const isHex = (text: string): text is `0x${string}` => /^0x[0-9a-f]+$/.test(text)

/** Undefined where nothing was to be sent. */
export const fundedWallet = async (
  work: FundingWork,
  terminal: CommandTerminal,
  funding: Funding
): Promise<{ readonly hash: string; readonly text: string } | undefined> => {
  const { amount, pending, address } = funding
  if (amount === undefined) return undefined
  const told = `${sentence(nativeAmount(amount))} to ${address}`
  const kept = (await pending.recall())?.raw
  const raw = kept ?? (await signedTransfer(work, funding, amount))
  if (!isHex(raw))
    throw new CliFailure(ExitCode.internal, "The wallet signed no transaction.", "Sign elsewhere.")
  await pending.keep({ amount, raw })
  terminal.note(`${kept === undefined ? "Sending" : "Sending again"} ${told}.`)
  const hash = keccak256(raw)
  await broadcast(work.input, raw, hash)
  const isSent = await mined(work.input, hash)
  await pending.forget()
  if (!isSent)
    throw new CliFailure(
      ExitCode.unconfirmed,
      `The transaction ${hash} failed.`,
      "Send what it needs yourself."
    )
  return { hash, text: `sent ${told}: ${hash}` }
}

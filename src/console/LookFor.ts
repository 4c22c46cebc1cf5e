/** A transaction that the wallet sent, asked of its node and compared with the planned call. */
import { WalletChainMismatch } from "../client/Errors.ts"
import { readSent } from "../client/SentTransaction.ts"
import type { Call, Plan } from "../plans/Plan.ts"
import { SENT_OTHERWISE } from "../review/SentOtherwise.ts"
import { reviewSent, type SignedCheck } from "../review/SignedBytes.ts"
import { exact, row, words } from "../review/Words.ts"
import type { ToldFailure } from "./Failures.ts"
import { chainIdOf, type Provider } from "./Wallet.ts"

const PATIENCE_MILLIS = 30_000

const onChain = async (provider: Provider, chainId: number): Promise<void> => {
  const connected = await chainIdOf(provider)
  if (connected !== chainId) throw new WalletChainMismatch(chainId, connected)
}

/** Whether the wallet's node has it now, in a block or on the way to one. */
export const isKnown = async (provider: Provider, hash: string, chainId: number): Promise<boolean> => {
  await onChain(provider, chainId)
  const ask = (method: string) => provider.request({ method, params: [hash] })
  const told = [await ask("eth_getTransactionByHash"), await ask("eth_getTransactionReceipt")]
  return told.some(each => each != null)
}

/** What another plan of the same calls, or nothing of the service, sent before. */
const isBefore = (told: object, { evidence }: Plan, chainId: number): boolean => {
  const { blockNumber } = Object(told)
  const made = evidence.find(each => each.chainId === chainId)?.blockNumber
  return typeof blockNumber === "string" && made !== undefined && BigInt(blockNumber) <= BigInt(made)
}

/** Undefined where the wallet's node does not know it in time. */
export const lookFor = async (
  provider: Provider,
  hash: string,
  call: Call,
  plan: Plan
): Promise<SignedCheck | "before" | undefined> => {
  await onChain(provider, call.chainId)
  const ask = () => provider.request({ method: "eth_getTransactionByHash", params: [hash] })
  const told = await readSent(ask, PATIENCE_MILLIS)
  if (told === undefined) return undefined
  const check = await reviewSent(told, hash, call, plan.account)
  return check.fits && isBefore(told, plan, call.chainId) ? "before" : check
}

export const sentBefore = (hash: string): ToldFailure => ({
  title: "The transaction is older than the plan",
  advice: "So it is not this step's, though it is the same call: nothing was bound to the plan.",
  rows: [row("transaction", exact(hash))]
})

export const unproved = (hash: string, faults: ReadonlyArray<string>): ToldFailure => ({
  title: "The wallet's node does not prove what was sent",
  advice:
    "It may be the planned call all the same. Do not send the step again; look for it again later, once it is in a block.",
  rows: [row("transaction", exact(hash)), ...faults.map(fault => row("fault", words(fault)))]
})

export const sentOtherwise = (hash: string, faults: ReadonlyArray<string>): ToldFailure => ({
  title: "What was sent is not the planned call",
  advice: SENT_OTHERWISE,
  rows: [row("transaction", exact(hash)), ...faults.map(fault => row("fault", words(fault)))]
})

/** The signed bytes of a planned call, from a wallet that signs or from one that sends by itself. */
import type { Call, Plan, Step } from "../plans/Plan.ts"
import { NodeFailure, StepHeld } from "./Errors.ts"
import { nextNonce, requireChain } from "./Node.ts"
import { plannedTransaction, type TransactionTerms } from "./PlannedTransaction.ts"
import type { Eip1193Provider } from "./Signer.ts"
import type { Kept, StepRecord } from "./Store.ts"
import { realSystem, unlessAborted } from "./System.ts"
import {
  type SendingWallet,
  type SigningWallet,
  surelySentNothing,
  type TransactionWallet,
  toSendOf
} from "./TransactionWallet.ts"
import { holdNonce, isFree, type WalletNonces } from "./WalletNonces.ts"

export interface BytesWork {
  readonly plan: Plan
  readonly step: Step
  readonly call: Call
  readonly wallet: TransactionWallet
  readonly node: Eip1193Provider
  readonly terms: TransactionTerms
  readonly estimatedGas: () => Promise<bigint>
  readonly kept: Kept<StepRecord>
  readonly nonces: WalletNonces
  /** The hash of what the wallet sent, where it is known from elsewhere. */
  readonly sentHash?: string | undefined
  readonly signal?: AbortSignal | undefined
}

const PATIENCE_MILLIS = 20_000

/** Asked for again, after pauses that double, where the node gives one that is used: others of its URL may be ahead of it. */
export const nonceThat =
  (isFree: (nonce: number) => Promise<boolean>, signal?: AbortSignal): typeof nextNonce =>
  async (node, wallet) => {
    for (let pause = 250; 2 * pause < PATIENCE_MILLIS; pause *= 2) {
      const nonce = await nextNonce(node, wallet)
      if (await isFree(nonce)) return nonce
      await realSystem.sleep(pause, signal)
    }
    throw new NodeFailure("The node is behind.")
  }

const signedBytes = async (work: BytesWork, wallet: SigningWallet): Promise<string> => {
  const { call, node, terms, nonces, signal } = work
  const at = { planId: work.plan.id, step: work.step.index }
  const nonceOf = nonceThat(nonce => isFree(nonces, nonce, at), signal)
  const transaction = await plannedTransaction(node, wallet.address, call, terms, work.estimatedGas, nonceOf)
  const raw = await unlessAborted(wallet.signTransaction({ type: "eip1559", ...transaction }), signal)
  await holdNonce(nonces, { nonce: transaction.nonce, ...at })
  return raw
}

/** What was sent, read back from the node and proved by its hash. */
const sentBytes = async ({ plan, step, call, node, signal }: BytesWork, hash: string): Promise<string> => {
  const { checkSent, readSent } = await import("./SentTransaction.ts")
  const ask = () => node.request({ method: "eth_getTransactionByHash", params: [hash] })
  const told = await readSent(ask, PATIENCE_MILLIS, { signal })
  if (told === undefined) throw new NodeFailure(`The node knows no transaction ${hash}.`)
  const check = await checkSent(told, hash, call, plan.account)
  if (check.fits) return check.raw
  const fault = `The transaction ${hash} may not be the planned call: ${check.faults.join("; ")}.`
  throw new StepHeld("isUnproved" in check ? "asked" : "other", fault, plan.id, step.index)
}

const isHash = (text: string | undefined): text is string => /^0x[0-9a-f]{64}$/i.test(text ?? "")

const asked = ({ plan, step }: BytesWork): StepHeld => {
  const held = `The wallet was asked to send step ${step.index} of the plan ${plan.id}, and gave no hash.`
  return new StepHeld("asked", held, plan.id, step.index)
}

const askedHash = async (work: BytesWork, wallet: SendingWallet): Promise<string> => {
  const { call, kept, node, terms, signal } = work
  await requireChain(node, call.chainId)
  await kept.keep({ asked: "yes" })
  const sending = wallet.sendTransaction(toSendOf(call, terms))
  const hash = await unlessAborted(sending, signal).catch(async failure => {
    if (surelySentNothing(failure)) await kept.forget()
    throw failure
  })
  if (!isHash(hash)) throw asked(work)
  await kept.keep({ asked: "yes", hash: hash.toLowerCase() })
  return hash.toLowerCase()
}

/** `before` is what is kept of the step already. */
export const walletBytes = async (work: BytesWork, before: StepRecord): Promise<string> => {
  const { wallet, kept } = work
  const hash = work.sentHash ?? before.hash
  if (isHash(hash)) {
    await kept.keep({ ...before, asked: "yes", hash: hash.toLowerCase() })
    return sentBytes(work, hash.toLowerCase())
  }
  if (before.asked !== undefined) throw asked(work)
  if ("signTransaction" in wallet) return signedBytes(work, wallet)
  return sentBytes(work, await askedHash(work, wallet))
}

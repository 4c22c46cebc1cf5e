/** A planned call as a transaction to sign: nonce and fees from the wallet's own node, changeable, and the hash they lead to. */
import { numberToHex, serializeTransaction } from "viem"
import { WalletChainMismatch } from "../client/Errors.ts"
import type { Call } from "../plans/Plan.ts"
import {
  signingHash,
  signingParameters,
  transactionRows,
  type UnsignedTransaction
} from "../review/SigningDigests.ts"
import { exact, type ReviewRow, row } from "../review/Words.ts"
import type { Desk } from "./Desk.ts"
import { button, el, field, paragraph } from "./Elements.ts"
import { agreed } from "./Prompt.ts"
import { rowsView } from "./RowsView.ts"
import { askQuantity, chainIdOf, isDeclined, type Provider, WalletRefusal } from "./Wallet.ts"

type Sign = () => Promise<string>

interface Suggested {
  readonly nonce: string
  readonly gas: string
  readonly feeCap: string
  readonly tip: string
}

/** An empty field where the wallet does not say: then the person does. */
const orEmpty = (value: Promise<bigint>): Promise<bigint | undefined> => value.catch(() => undefined)

const text = (value: bigint | undefined): string => (value === undefined ? "" : String(value))

const baseFee = async (provider: Provider): Promise<bigint> => {
  const block = await provider.request({ method: "eth_getBlockByNumber", params: ["latest", false] })
  const fee: unknown = Object(block).baseFeePerGas
  if (typeof fee === "string" && /^0x[0-9a-f]+$/i.test(fee)) return BigInt(fee)
  throw new WalletRefusal("eth_getBlockByNumber", undefined, "the block has no base fee")
}

const suggested = async ({ provider, wallet }: Desk, call: Call): Promise<Suggested> => {
  const { to, data } = call
  const sketch = { from: wallet, to, data, value: numberToHex(BigInt(call.value)) }
  const [nonce, gas, base, tip] = await Promise.all([
    orEmpty(askQuantity(provider, "eth_getTransactionCount", [wallet, "pending"])),
    orEmpty(askQuantity(provider, "eth_estimateGas", [sketch])),
    orEmpty(baseFee(provider)),
    orEmpty(askQuantity(provider, "eth_maxPriorityFeePerGas"))
  ])
  return {
    nonce: text(nonce),
    gas: text(gas === undefined ? undefined : (gas * 5n) / 4n),
    feeCap: text(base === undefined || tip === undefined ? undefined : 2n * base + tip),
    tip: text(tip)
  }
}

const DIGITS = /^(?:0|[1-9][0-9]{0,38})$/

const transactionOf = (
  call: Call,
  { nonce, gas, feeCap, tip }: Suggested
): UnsignedTransaction | undefined =>
  [nonce, gas, feeCap, tip].every(value => DIGITS.test(value)) &&
  Number.isSafeInteger(Number(nonce)) &&
  BigInt(tip) <= BigInt(feeCap)
    ? {
        chainId: call.chainId,
        to: call.to,
        data: call.data,
        value: BigInt(call.value),
        nonce: Number(nonce),
        gas: BigInt(gas),
        maxFeePerGas: BigInt(feeCap),
        maxPriorityFeePerGas: BigInt(tip)
      }
    : undefined

/** Some nodes answer `{raw, tx}`. */
const rawOf = (answer: unknown): string => String(Object(answer).raw ?? answer)

const METHOD = "eth_signTransaction"

const signedBy = async ({ provider, wallet }: Desk, transaction: UnsignedTransaction): Promise<string> => {
  const answer = await provider
    .request({ method: METHOD, params: [signingParameters(wallet, transaction)] })
    .catch((failure: unknown) => {
      if (!(failure instanceof WalletRefusal) || isDeclined(failure)) throw failure
      throw new WalletRefusal(
        METHOD,
        failure.code,
        `${failure.message}. Many wallets sign no transaction without sending it: sign it elsewhere and paste it here.`
      )
    })
  return rawOf(answer)
}

const asked = async (
  desk: Desk,
  transaction: UnsignedTransaction,
  about: ReadonlyArray<ReviewRow>
): Promise<string> => {
  await agreed({
    title: "Sign the transaction",
    intro:
      "The wallet signs exactly this call. Signing sends nothing; the signed bytes are checked here and submitted only when you say so.",
    rows: [...about, ...transactionRows(transaction)],
    digests: [row("transaction hash to sign", exact(signingHash(transaction)))],
    action: "Continue in the wallet"
  })
  return signedBy(desk, transaction)
}

const unsignedView = (transaction: UnsignedTransaction): HTMLElement =>
  el(
    "details",
    {},
    el("summary", {}, "Unsigned bytes, to sign elsewhere"),
    el("pre", { tabindex: "0" }, el("code", {}, serializeTransaction({ type: "eip1559", ...transaction })))
  )

/** `begin` is called with what asks the wallet. */
export const beginTransaction = async (
  desk: Desk,
  call: Call,
  about: ReadonlyArray<ReviewRow>,
  begin: (sign: Sign) => void
): Promise<ReadonlyArray<HTMLElement>> => {
  const connected = await chainIdOf(desk.provider)
  if (connected !== call.chainId) throw new WalletChainMismatch(call.chainId, connected)
  const first = await suggested(desk, call)
  const outcome = el("div", { "aria-live": "polite" })
  const changed = () => outcome.replaceChildren(...outcomeOf(transactionOf(call, current())))
  const nonce = field("Nonce", first.nonce, changed, { inputmode: "numeric" })
  const gas = field("Gas limit", first.gas, changed, { inputmode: "numeric" })
  const feeCap = field("Fee cap per gas, in wei", first.feeCap, changed, { inputmode: "numeric" })
  const tip = field("Tip per gas, in wei", first.tip, changed, { inputmode: "numeric" })
  const current = (): Suggested => ({
    nonce: nonce.value(),
    gas: gas.value(),
    feeCap: feeCap.value(),
    tip: tip.value()
  })
  const outcomeOf = (transaction: UnsignedTransaction | undefined): ReadonlyArray<HTMLElement> =>
    transaction === undefined
      ? [paragraph("Fill in whole numbers; the tip may not be above the fee cap.")]
      : [
          rowsView(transactionRows(transaction)),
          unsignedView(transaction),
          button("Sign in the wallet", () => begin(() => asked(desk, transaction, about)), "primary")
        ]
  changed()
  return [
    el("h3", {}, "The transaction"),
    el("div", { class: "fields" }, nonce.view, gas.view, feeCap.view, tip.view),
    outcome
  ]
}

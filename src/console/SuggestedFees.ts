/** What the wallet's own node suggests for a transaction, as the person may change it. */
import { numberToHex } from "viem"
import type { UnsignedTransaction } from "../client/PlannedTransaction.ts"
import type { Call } from "../plans/Plan.ts"
import { gasWithPart } from "../values/TransactionGas.ts"
import type { Desk } from "./Desk.ts"
import { askQuantity, type Provider, WalletRefusal } from "./Wallet.ts"

export interface Suggested {
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

export const suggested = async ({ provider, wallet }: Desk, call: Call): Promise<Suggested> => {
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
    gas: text(gas === undefined ? undefined : gasWithPart(gas, 4n)),
    feeCap: text(base === undefined || tip === undefined ? undefined : 2n * base + tip),
    tip: text(tip)
  }
}

const DIGITS = /^(?:0|[1-9][0-9]{0,38})$/

export const unsignedOf = (
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

/** Where one is absent, the wallet chooses. */
export interface SendingFees {
  readonly gas: bigint | undefined
  readonly feeCap: bigint | undefined
  readonly tip: bigint | undefined
}

const wholeOrNone = (value: string): bigint | undefined => (DIGITS.test(value) ? BigInt(value) : undefined)

export const sendingFees = ({ gas, feeCap, tip }: Suggested): SendingFees | undefined =>
  [gas, feeCap, tip].every(value => value === "" || DIGITS.test(value))
    ? { gas: wholeOrNone(gas), feeCap: wholeOrNone(feeCap), tip: wholeOrNone(tip) }
    : undefined

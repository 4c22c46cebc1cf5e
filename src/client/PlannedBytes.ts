/** Whether signed bytes are exactly a planned call, before anything is done with them. */
import {
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerialized
} from "viem"
import type { Call } from "../plans/Plan.ts"

/** What was signed beside the call itself. */
export interface SignedTerms {
  readonly nonce: number
  readonly gas: bigint
  readonly feeCap: bigint
  readonly value: bigint
}

export type BytesCheck =
  | { readonly fits: true; readonly raw: `0x${string}`; readonly terms: SignedTerms }
  | { readonly fits: false; readonly faults: ReadonlyArray<string> }

const TYPES = ["legacy", "eip2930", "eip1559"]

const isHexBytes = (text: string): text is `0x${string}` => /^0x(?:[0-9a-f]{2})+$/.test(text)

/** The envelopes that the relay takes: legacy lists, EIP-2930 and EIP-1559. */
const isEnvelope = (raw: `0x${string}`): raw is TransactionSerialized => /^0x(?:01|02|[c-f])/.test(raw)

const refused = (...faults: ReadonlyArray<string>): BytesCheck => ({ fits: false, faults })

type Parsed = ReturnType<typeof parseTransaction>

const signatureOf = ({ r, s, v, yParity }: Parsed) =>
  r === undefined || s === undefined ? undefined : { r, s, v: v ?? 0n, yParity: yParity ?? 0 }

/** Bytes that decode and encode to something else could be read in two ways. */
const isExact = (raw: string, parsed: Parsed): boolean => {
  const signature = signatureOf(parsed)
  return signature !== undefined && serializeTransaction(parsed, signature) === raw
}

const differences = (parsed: Parsed, sender: string, call: Call, wallet: string): ReadonlyArray<string> =>
  [
    { name: "chain", same: parsed.chainId === call.chainId },
    { name: "sender", same: sender.toLowerCase() === wallet.toLowerCase() },
    { name: "destination", same: parsed.to?.toLowerCase() === call.to.toLowerCase() },
    { name: "calldata", same: (parsed.data ?? "0x") === call.data },
    { name: "value", same: (parsed.value ?? 0n) === BigInt(call.value) }
  ].flatMap(({ name, same }) => (same ? [] : [`its ${name} is not the planned one`]))

const termsOf = ({ nonce = 0, gas = 0n, value = 0n, maxFeePerGas, gasPrice }: Parsed): SignedTerms => ({
  nonce,
  gas,
  value,
  feeCap: maxFeePerGas ?? gasPrice ?? 0n
})

const parsedOf = (raw: TransactionSerialized): Parsed | undefined => {
  try {
    const parsed = parseTransaction(raw)
    return isExact(raw, parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** `text` is what a wallet gave or a person pasted; spaces around it and upper case do no harm. */
export const checkBytes = async (text: string, call: Call, wallet: string): Promise<BytesCheck> => {
  const raw = text.trim().toLowerCase()
  if (!isHexBytes(raw)) return refused("it is not hexadecimal with 0x")
  if (!isEnvelope(raw)) return refused("it is no legacy, EIP-2930 or EIP-1559 transaction")
  const parsed = parsedOf(raw)
  if (parsed === undefined || !TYPES.includes(parsed.type ?? ""))
    return refused("it is no complete signed transaction")
  if (parsed.chainId === undefined) return refused("it has no replay protection (EIP-155)")
  const sender = await recoverTransactionAddress({ serializedTransaction: raw }).catch(() => "")
  const faults = differences(parsed, sender, call, wallet)
  return faults.length > 0 ? refused(...faults) : { fits: true, raw, terms: termsOf(parsed) }
}

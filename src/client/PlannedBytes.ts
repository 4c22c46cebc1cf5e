/** Whether signed bytes are exactly a planned call, before anything is done with them. */
import type { Call } from "../plans/Plan.ts"
import { readTransaction, type TransactionRead } from "./ReadTransaction.ts"

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

const isHexBytes = (text: string): text is `0x${string}` => /^0x(?:[0-9a-f]{2})+$/.test(text)

/** The envelopes that the relay takes: legacy lists, EIP-2930 and EIP-1559. */
const isEnvelope = (raw: string): boolean => /^0x(?:01|02|[c-f])/.test(raw)

const refused = (...faults: ReadonlyArray<string>): BytesCheck => ({ fits: false, faults })

const differences = (fields: TransactionRead, call: Call, wallet: string): ReadonlyArray<string> =>
  [
    { name: "chain", same: fields.chainId === call.chainId },
    { name: "sender", same: fields.sender === wallet.toLowerCase() },
    { name: "destination", same: fields.to === call.to.toLowerCase() },
    { name: "calldata", same: fields.data === call.data },
    { name: "value", same: fields.value === BigInt(call.value) }
  ].flatMap(({ name, same }) => (same ? [] : [`its ${name} is not the planned one`]))

/** `text` is what a wallet gave or a person pasted; spaces around it and upper case do no harm. */
export const checkBytes = async (text: string, call: Call, wallet: string): Promise<BytesCheck> => {
  const raw = text.trim().toLowerCase()
  if (!isHexBytes(raw)) return refused("it is not hexadecimal with 0x")
  if (!isEnvelope(raw)) return refused("it is no legacy, EIP-2930 or EIP-1559 transaction")
  const fields = await readTransaction(raw)
  if (fields === undefined) return refused("it is no complete signed transaction")
  if (fields.chainId === undefined) return refused("it has no replay protection (EIP-155)")
  const faults = differences(fields, call, wallet)
  const { nonce, gas, value, fee } = fields
  return faults.length > 0
    ? refused(...faults)
    : { fits: true, raw, terms: { nonce, gas, value, feeCap: fee } }
}

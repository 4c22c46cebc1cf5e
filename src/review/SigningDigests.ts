/** What a hardware wallet shows before it signs, computed here by an encoder of its own. */
import {
  formatTransactionRequest,
  hashDomain,
  hashStruct,
  hashTypedData,
  keccak256,
  numberToHex,
  serializeTransaction
} from "viem"
import type { UnsignedTransaction } from "../client/PlannedTransaction.ts"
import type { TypedDataPayload } from "../client/Signer.ts"
import { highestCost, nativeAmount } from "./Amounts.ts"
import { exact, type ReviewRow, row, toned } from "./Words.ts"

const mutable = (types: TypedDataPayload["types"]) =>
  Object.fromEntries(
    Object.entries(types).map(([name, members]) => [name, members.map(member => ({ ...member }))])
  )

const domainRow = ({ domain, types }: Pick<TypedDataPayload, "domain" | "types">): ReviewRow =>
  row("domain separator", exact(hashDomain({ domain, types: mutable(types) })))

export const typedDataRows = (payload: TypedDataPayload): ReadonlyArray<ReviewRow> => {
  const { domain, primaryType, message } = payload
  const types = mutable(payload.types)
  return [
    domainRow(payload),
    row("message hash", exact(hashStruct({ data: { ...message }, primaryType, types }))),
    toned("key", row("digest", exact(hashTypedData({ domain, types, primaryType, message: { ...message } }))))
  ]
}

export const signingHash = (transaction: UnsignedTransaction): `0x${string}` =>
  keccak256(serializeTransaction({ type: "eip1559", ...transaction }))

/** As `eth_signTransaction` takes it. */
export const signingParameters = (from: string, { chainId, ...rest }: UnsignedTransaction) => ({
  ...formatTransactionRequest({ type: "eip1559", ...rest }),
  from,
  chainId: numberToHex(chainId)
})

export const transactionRows = (transaction: UnsignedTransaction): ReadonlyArray<ReviewRow> => {
  const { nonce, gas, maxFeePerGas, maxPriorityFeePerGas, value } = transaction
  return [
    row("nonce", exact(nonce)),
    row("gas limit", exact(gas)),
    row("fee cap per gas", ...nativeAmount(String(maxFeePerGas))),
    row("tip per gas", ...nativeAmount(String(maxPriorityFeePerGas))),
    toned("key", highestCost(String(value + gas * maxFeePerGas))),
    toned("key", row("transaction hash to sign", exact(signingHash(transaction))))
  ]
}

/** Reads the fields of a transaction in their only canonical form. */
import { Either } from "effect"
import type { AccessListEntry } from "../chain/ChainClient.ts"
import { checksummed } from "../values/Checksum.ts"
import type { Address, Hex } from "../values/Scalars.ts"
import type { RlpItem } from "./Rlp.ts"
import {
  InvalidSignedTransaction,
  type TransactionRefusal,
  UnsupportedTransactionType
} from "./transactionRefusals.ts"

export type FieldName =
  | "chainId"
  | "nonce"
  | "priorityFee"
  | "feeCap"
  | "gas"
  | "to"
  | "value"
  | "data"
  | "accessList"
  | "v"
  | "r"
  | "s"

export type TransactionFields = ReadonlyMap<FieldName, RlpItem | undefined>

const invalid = (): Either.Either<never, InvalidSignedTransaction> =>
  Either.left(new InvalidSignedTransaction())

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString("hex")}`

const bytesOf = (
  fields: TransactionFields,
  name: FieldName
): Either.Either<Uint8Array, InvalidSignedTransaction> => {
  const item = fields.get(name)
  return item?._tag === "Bytes" ? Either.right(item.bytes) : invalid()
}

/** Big-endian without leading zeros, zero being empty. */
export const integerOf = (fields: TransactionFields, name: FieldName, maximumBytes: number) =>
  Either.flatMap(bytesOf(fields, name), (bytes): Either.Either<bigint, InvalidSignedTransaction> => {
    if (bytes.length > maximumBytes || bytes[0] === 0) return invalid()
    return Either.right(bytes.length === 0 ? 0n : BigInt(hexOf(bytes)))
  })

export const stringOf = (
  fields: TransactionFields,
  name: FieldName
): Either.Either<Hex, TransactionRefusal> => Either.map(bytesOf(fields, name), hexOf)

/** No destination would create a contract. */
export const destinationOf = (fields: TransactionFields): Either.Either<Address, TransactionRefusal> =>
  Either.flatMap(bytesOf(fields, "to"), (bytes): Either.Either<Address, TransactionRefusal> => {
    if (bytes.length === 0) return Either.left(new UnsupportedTransactionType())
    return bytes.length === 20 ? Either.right(checksummed(hexOf(bytes))) : invalid()
  })

const sized = (item: RlpItem | undefined, length: number): ReadonlyArray<Uint8Array> =>
  item?._tag === "Bytes" && item.bytes.length === length ? [item.bytes] : []

const entryOf = (entry: RlpItem): ReadonlyArray<AccessListEntry> => {
  if (entry._tag !== "List" || entry.items.length !== 2) return []
  const [place, list] = entry.items
  const [address] = sized(place, 20)
  if (address === undefined || list?._tag !== "List") return []
  const storageKeys = list.items.flatMap(key => sized(key, 32)).map(hexOf)
  return storageKeys.length === list.items.length ? [{ address: hexOf(address), storageKeys }] : []
}

/** Empty where the type has no such list. */
export const accessListOf = (
  fields: TransactionFields
): Either.Either<ReadonlyArray<AccessListEntry>, TransactionRefusal> => {
  if (!fields.has("accessList")) return Either.right([])
  const list = fields.get("accessList")
  if (list?._tag !== "List") return invalid()
  const entries = list.items.flatMap(entryOf)
  return entries.length === list.items.length ? Either.right(entries) : invalid()
}

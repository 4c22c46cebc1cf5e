/** Reads the fields of a transaction in their only canonical form. */
import { Either } from "effect"
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

const isBytes = (item: RlpItem | undefined, length: number): boolean =>
  item?._tag === "Bytes" && item.bytes.length === length

const entryItems = (entry: RlpItem): number | undefined => {
  if (entry._tag !== "List" || entry.items.length !== 2) return undefined
  const [address, keys] = entry.items
  const fits = isBytes(address, 20) && keys?._tag === "List" && keys.items.every(key => isBytes(key, 32))
  return fits ? 1 + keys.items.length : undefined
}

/** How many addresses and storage keys the access list has; none where the type has no such list. */
export const accessListOf = (fields: TransactionFields): Either.Either<number, TransactionRefusal> => {
  if (!fields.has("accessList")) return Either.right(0)
  const list = fields.get("accessList")
  if (list?._tag !== "List") return invalid()
  const counts = list.items.flatMap(entry => entryItems(entry) ?? [])
  return counts.length === list.items.length
    ? Either.right(counts.reduce((total, count) => total + count, 0))
    : invalid()
}

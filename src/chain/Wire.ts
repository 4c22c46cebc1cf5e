/** The strict forms in which nodes write numbers, hashes, blocks, transactions and receipts. */
import { Either, Schema } from "effect"
import { decoder, fits } from "../values/Conforms.ts"
import { Address, Bytes32, Hex } from "../values/Scalars.ts"
import type { Block, BlockListing, RawLog } from "./ChainClient.ts"
import { RpcInvalidResponse } from "./refusals.ts"

const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/

const QuantityHex = Schema.TemplateLiteral("0x", Schema.String).pipe(Schema.pattern(QUANTITY))

export const Quantity = Schema.transform(QuantityHex, Schema.BigIntFromSelf, {
  strict: true,
  decode: text => BigInt(text),
  encode: (number): `0x${string}` => `0x${number.toString(16)}`
})

export const quantity = (value: bigint): `0x${string}` => `0x${value.toString(16)}`

const BlockAnswer = Schema.Struct({
  number: QuantityHex,
  hash: Bytes32,
  parentHash: Bytes32,
  timestamp: QuantityHex,
  baseFeePerGas: Schema.optional(Schema.NullOr(QuantityHex))
})

const BlockListingAnswer = Schema.Struct({
  number: QuantityHex,
  hash: Bytes32,
  parentHash: Schema.optional(Bytes32),
  transactions: Schema.optional(Schema.Array(Schema.Unknown))
})

export const TransactionAnswer = Schema.Struct({
  hash: Bytes32,
  from: Address,
  nonce: Quantity,
  blockHash: Schema.NullOr(Bytes32),
  blockNumber: Schema.NullOr(Quantity)
})

export const LogAnswer: Schema.Schema<RawLog, RawLog> = Schema.Struct({
  address: Hex.pipe(Schema.length(42)),
  blockHash: Bytes32,
  blockNumber: QuantityHex,
  data: Hex,
  logIndex: QuantityHex,
  topics: Schema.Array(Bytes32).pipe(Schema.maxItems(4)),
  transactionHash: Bytes32,
  transactionIndex: QuantityHex
})

export const ReceiptAnswer = Schema.Struct({
  transactionHash: Bytes32,
  blockHash: Bytes32,
  blockNumber: Quantity,
  status: Schema.transformLiterals(["0x1", "success"], ["0x0", "reverted"]),
  from: Address,
  to: Schema.NullOr(Address),
  logs: Schema.Array(LogAnswer)
})

export type Decoded<A> = Either.Either<A, RpcInvalidResponse>

const invalid = (): Decoded<never> => Either.left(new RpcInvalidResponse())

export const decodeAs = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = decoder(schema)
  return (result: unknown): Decoded<A> => Either.mapLeft(decode(result), () => new RpcInvalidResponse())
}

/** Passes on what was read where it is what was asked for. */
export const asked =
  <A>(isAsked: (value: A) => boolean) =>
  (value: A): Decoded<A> =>
    isAsked(value) ? Either.right(value) : invalid()

const isQuantity = fits(QuantityHex)
const isBlock = fits(BlockAnswer)
const isListing = fits(BlockListingAnswer)

export const readQuantity = (result: unknown): Decoded<bigint> =>
  isQuantity(result) ? Either.right(BigInt(result)) : invalid()

export const readBlock = (chainId: number, result: unknown): Decoded<Block> => {
  if (!isBlock(result)) return invalid()
  const { number, hash, parentHash, timestamp, baseFeePerGas } = result
  return Either.right({
    chainId,
    number: BigInt(number),
    hash,
    parentHash,
    timestamp: BigInt(timestamp),
    baseFeePerGas: baseFeePerGas == null ? null : BigInt(baseFeePerGas)
  })
}

export const readListing = (result: unknown): Decoded<BlockListing & Pick<Block, "number">> => {
  if (!isListing(result)) return invalid()
  const { number, hash, parentHash, transactions } = result
  return Either.right({
    number: BigInt(number),
    hash,
    parentHash,
    transactions: transactions && new Set(transactions)
  })
}

/** The strict forms in which nodes write numbers, hashes, blocks, transactions and receipts. */
import { Effect, Either, Schema } from "effect"
import { Address, Bytes32, Hex } from "../values/Scalars.ts"
import type { RawLog } from "./ChainClient.ts"
import { RpcInvalidResponse } from "./refusals.ts"

const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/

const QuantityHex = Schema.TemplateLiteral("0x", Schema.String).pipe(Schema.pattern(QUANTITY))

export const Quantity = Schema.transform(QuantityHex, Schema.BigIntFromSelf, {
  strict: true,
  decode: text => BigInt(text),
  encode: (number): `0x${string}` => `0x${number.toString(16)}`
})

export const quantity = (value: bigint): `0x${string}` => `0x${value.toString(16)}`

export const BlockAnswer = Schema.Struct({
  number: Quantity,
  hash: Bytes32,
  parentHash: Bytes32,
  timestamp: Quantity,
  baseFeePerGas: Schema.optionalWith(Quantity, { as: "Option", nullable: true })
})

export const BlockListingAnswer = Schema.Struct({
  number: Quantity,
  hash: Bytes32,
  transactions: Schema.optional(Schema.Array(Schema.Unknown))
})

export const TransactionAnswer = Schema.Struct({
  hash: Bytes32,
  from: Address,
  nonce: Quantity,
  blockHash: Schema.NullOr(Bytes32),
  blockNumber: Schema.NullOr(Quantity)
})

const LogAnswer: Schema.Schema<RawLog, RawLog> = Schema.Struct({
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

export const decodeAs = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownEither(schema)
  return (result: unknown): Effect.Effect<A, RpcInvalidResponse> =>
    Either.mapLeft(decode(result), () => new RpcInvalidResponse())
}

export const invalidUnless = (fits: boolean): Effect.Effect<void, RpcInvalidResponse> =>
  fits ? Effect.void : new RpcInvalidResponse()

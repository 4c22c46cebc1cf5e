/** The questions about chains, blocks and transactions, each with the strict reading of its answer. */
import { Effect, Option, Schema } from "effect"
import { keccak256 } from "../values/Keccak.ts"
import { type Address, Bytes32, type Hex } from "../values/Scalars.ts"
import type { Block, BlockListing, KnownTransaction, Read, Receipt, SendAnswer } from "./ChainClient.ts"
import { RpcChainMismatch } from "./refusals.ts"
import {
  BlockAnswer,
  BlockListingAnswer,
  decodeAs,
  invalidUnless,
  Quantity,
  quantity,
  ReceiptAnswer,
  TransactionAnswer
} from "./Wire.ts"

const BROADCAST_SECONDS = 10

const readQuantity = decodeAs(Quantity)
const readHash = decodeAs(Bytes32)
const readBlock = decodeAs(BlockAnswer)
const readListing = decodeAs(Schema.NullOr(BlockListingAnswer))
const readTransaction = decodeAs(Schema.NullOr(TransactionAnswer))
const readReceipt = decodeAs(Schema.NullOr(ReceiptAnswer))

/** Fails unless the node serves this chain. */
export const chainProof = (chainId: number): Read<bigint> => ({
  method: "eth_chainId",
  params: [],
  decode: result =>
    Effect.filterOrFail(
      readQuantity(result),
      served => served === BigInt(chainId),
      () => new RpcChainMismatch()
    )
})

const blockOf = (chainId: number) => (result: unknown) =>
  Effect.map(
    readBlock(result),
    (block): Block => ({
      chainId,
      number: block.number,
      hash: block.hash,
      parentHash: block.parentHash,
      timestamp: block.timestamp,
      baseFeePerGas: Option.getOrNull(block.baseFeePerGas)
    })
  )

const blockWhere = (chainId: number, fits: (block: Block) => boolean) => {
  const decode = blockOf(chainId)
  return (result: unknown) =>
    result === null ? Effect.succeed(null) : Effect.tap(decode(result), block => invalidUnless(fits(block)))
}

export const latestBlock = (chainId: number): Read<Block> => ({
  method: "eth_getBlockByNumber",
  params: ["latest", false],
  decode: blockOf(chainId)
})

/** Null where the canonical chain has no such block. */
export const blockByNumber = (chainId: number, number: bigint): Read<Block | null> => ({
  method: "eth_getBlockByNumber",
  params: [quantity(number), false],
  decode: blockWhere(chainId, block => block.number === number)
})

/** The same block with the hashes of its transactions. */
export const blockListing = (number: bigint): Read<BlockListing | null> => ({
  method: "eth_getBlockByNumber",
  params: [quantity(number), false],
  decode: result =>
    Effect.flatMap(readListing(result), block =>
      block === null
        ? Effect.succeed(null)
        : Effect.as(invalidUnless(block.number === number), {
            hash: block.hash,
            transactions: block.transactions && new Set(block.transactions)
          })
    )
})

/** Null where the node does not know the hash. A known block may have left the canonical chain. */
export const blockByHash = (chainId: number, hash: Bytes32): Read<Block | null> => ({
  method: "eth_getBlockByHash",
  params: [hash, false],
  decode: blockWhere(chainId, block => block.hash === hash)
})

/** Null where the node does not serve the tag. */
export const taggedBlock = (chainId: number, tag: "safe" | "finalized"): Read<Block | null> => ({
  method: "eth_getBlockByNumber",
  params: [tag, false],
  decode: blockWhere(chainId, () => true),
  onNodeError: () => null
})

export const transactionReceipt = (hash: Bytes32): Read<Receipt | null> => ({
  method: "eth_getTransactionReceipt",
  params: [hash],
  decode: result =>
    Effect.tap(readReceipt(result), receipt =>
      invalidUnless(
        receipt === null ||
          (receipt.transactionHash === hash &&
            receipt.logs.every(log => log.transactionHash === hash && log.blockHash === receipt.blockHash))
      )
    )
})

export const transactionByHash = (hash: Bytes32): Read<KnownTransaction | null> => ({
  method: "eth_getTransactionByHash",
  params: [hash],
  decode: result =>
    Effect.tap(readTransaction(result), transaction =>
      invalidUnless(
        transaction === null ||
          (transaction.hash === hash &&
            (transaction.blockHash === null) === (transaction.blockNumber === null))
      )
    )
})

export const transactionCount = (address: Address, tag: "latest" | "pending"): Read<bigint> => ({
  method: "eth_getTransactionCount",
  params: [address, tag],
  decode: readQuantity
})

export const gasPrice: Read<bigint> = { method: "eth_gasPrice", params: [], decode: readQuantity }

/** Undefined behaviour of lying nodes stops here: only the hash of these very bytes counts as accepted. */
export const rawSend = (raw: Hex): Read<SendAnswer> => {
  const hash = keccak256(Buffer.from(raw.slice(2), "hex"))
  return {
    method: "eth_sendRawTransaction",
    params: [raw],
    deadlineSeconds: BROADCAST_SECONDS,
    decode: result =>
      Effect.map(
        Effect.tap(readHash(result), told => invalidUnless(told === hash)),
        () => ({ _tag: "Accepted", hash }) as const
      ),
    onNodeError: ({ code }) => ({ _tag: "Refused", code })
  }
}

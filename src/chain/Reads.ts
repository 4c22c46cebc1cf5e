/** The questions about chains, blocks and transactions, each with the strict reading of its answer. */
import { Either, Schema } from "effect"
import { keccak256 } from "../values/Keccak.ts"
import { type Address, Bytes32, type Hex, ZERO_ADDRESS } from "../values/Scalars.ts"
import type {
  Block,
  BlockListing,
  FinalityTag,
  KnownTransaction,
  RawLog,
  Read,
  Receipt,
  SendAnswer
} from "./ChainClient.ts"
import { isLimiting } from "./JsonRpc.ts"
import { RpcChainMismatch, RpcInvalidResponse } from "./refusals.ts"
import {
  asked,
  type Decoded,
  decodeAs,
  LogAnswer,
  quantity,
  ReceiptAnswer,
  readBlock,
  readListing,
  readQuantity,
  TransactionAnswer
} from "./Wire.ts"

const BROADCAST_SECONDS = 10

const readHash = decodeAs(Bytes32)
const readTransaction = decodeAs(Schema.NullOr(TransactionAnswer))

const isRemoved = Schema.is(Schema.Struct({ removed: Schema.Literal(true) }))

/** A log of a block that another has taken the place of proves nothing. */
const standing =
  <A>(logsIn: (result: unknown) => unknown, read: (result: unknown) => Decoded<A>) =>
  (result: unknown): Decoded<A> => {
    const logs = logsIn(result)
    return Array.isArray(logs) && logs.some(isRemoved) ? Either.left(new RpcInvalidResponse()) : read(result)
  }

const readLogs = standing(result => result, decodeAs(Schema.Array(LogAnswer)))
const readReceipt = standing(result => Object(result).logs, decodeAs(Schema.NullOr(ReceiptAnswer)))

/** Fails unless the node serves this chain. */
export const chainProof = (chainId: number): Read<bigint> => ({
  method: "eth_chainId",
  params: [],
  decode: result =>
    Either.filterOrLeft(
      readQuantity(result),
      served => served === BigInt(chainId),
      () => new RpcChainMismatch()
    )
})

const nullOr =
  <A>(read: (result: unknown) => Decoded<A>) =>
  (result: unknown): Decoded<A | null> =>
    result === null ? Either.right(null) : read(result)

const blockWhere = (chainId: number, isAsked: (block: Block) => boolean) =>
  nullOr(result => Either.flatMap(readBlock(chainId, result), asked(isAsked)))

export const latestBlock = (chainId: number): Read<Block> => ({
  method: "eth_getBlockByNumber",
  params: ["latest", false],
  decode: result => readBlock(chainId, result)
})

/** Null where the canonical chain has no such block. */
export const blockByNumber = (chainId: number, number: bigint): Read<Block | null> => ({
  method: "eth_getBlockByNumber",
  params: [quantity(number), false],
  decode: blockWhere(chainId, block => block.number === number)
})

/** Whether the node has the state that is read at a block, and not the block alone; one that is over its limit says nothing of that. */
export const stateAt = (number: bigint): Read<boolean> => ({
  method: "eth_getBalance",
  params: [ZERO_ADDRESS, quantity(number)],
  decode: result => Either.map(readQuantity(result), () => true),
  onNodeError: ({ code }) => (isLimiting(code) ? undefined : false)
})

/** The same block with the hashes of its transactions. */
export const blockListing = (number: bigint): Read<BlockListing | null> => ({
  method: "eth_getBlockByNumber",
  params: [quantity(number), false],
  decode: nullOr(result =>
    Either.flatMap(
      readListing(result),
      asked(block => block.number === number)
    )
  )
})

/** Null where the node does not know the hash. A known block may have left the canonical chain. */
export const blockByHash = (chainId: number, hash: Bytes32): Read<Block | null> => ({
  method: "eth_getBlockByHash",
  params: [hash, false],
  decode: blockWhere(chainId, block => block.hash === hash)
})

/** Null where the node answers with none, or with an error: whether it serves the tag. */
export const finalityProbe = (chainId: number, tag: FinalityTag): Read<Block | null> => ({
  method: "eth_getBlockByNumber",
  params: [tag, false],
  decode: blockWhere(chainId, () => true),
  onNodeError: () => null
})

export const UNTOLD = "untold"

/** Null where the node does not serve the tag; untold where it does, or may, and answers with an error. */
export type TaggedBlock = Block | null | typeof UNTOLD

/** A node that served the tag, or is over its limit, does not say by an error that it has no such tag. */
export const taggedBlock = (chainId: number, tag: FinalityTag): Read<TaggedBlock> => ({
  ...finalityProbe(chainId, tag),
  finalityTag: tag,
  onNodeError: ({ code }, served) => (served === true || isLimiting(code) ? UNTOLD : null)
})

export const toldBlock = (tagged: TaggedBlock): Block | null => (tagged === UNTOLD ? null : tagged)

export const transactionReceipt = (hash: Bytes32): Read<Receipt | null> => ({
  method: "eth_getTransactionReceipt",
  params: [hash],
  decode: result =>
    Either.flatMap(
      readReceipt(result),
      asked(
        receipt =>
          receipt === null ||
          (receipt.transactionHash === hash &&
            receipt.logs.every(log => log.transactionHash === hash && log.blockHash === receipt.blockHash))
      )
    )
})

export interface LogQuery {
  readonly address: Address
  /** Null takes any, a list each of its own. */
  readonly topics: ReadonlyArray<Bytes32 | ReadonlyArray<Bytes32> | null>
  readonly from: bigint
  readonly to: bigint
}

const isTopic = (asked: LogQuery["topics"][number], told: Bytes32 | undefined): boolean =>
  asked === null || (typeof asked === "string" ? told === asked : told !== undefined && asked.includes(told))

/** Of one contract in a range of blocks; a node's refusal is undefined, for it may find the range too large. */
export const eventLogs = ({
  address,
  topics,
  from,
  to
}: LogQuery): Read<ReadonlyArray<RawLog> | undefined> => ({
  method: "eth_getLogs",
  params: [{ address, topics, fromBlock: quantity(from), toBlock: quantity(to) }],
  decode: result =>
    Either.flatMap(
      readLogs(result),
      asked(logs =>
        logs.every(
          log =>
            log.address === address.toLowerCase() &&
            topics.every((topic, index) => isTopic(topic, log.topics[index])) &&
            BigInt(log.blockNumber) >= from &&
            BigInt(log.blockNumber) <= to
        )
      )
    ),
  onNodeError: () => undefined
})

export const transactionByHash = (hash: Bytes32): Read<KnownTransaction | null> => ({
  method: "eth_getTransactionByHash",
  params: [hash],
  decode: result =>
    Either.flatMap(
      readTransaction(result),
      asked(
        transaction =>
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

/** How many of its nonces no reorganisation gives back; null where the node does not say, as where it serves the tag's block but has its state no more. */
export const finalizedCount = (address: Address): Read<bigint | null> => ({
  method: "eth_getTransactionCount",
  params: [address, "finalized"],
  decode: readQuantity,
  onNodeError: () => null
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
      Either.map(
        Either.flatMap(
          readHash(result),
          asked(told => told === hash)
        ),
        () => ({ _tag: "Accepted", hash }) as const
      ),
    onNodeError: ({ code }) => ({ _tag: "Refused", code })
  }
}

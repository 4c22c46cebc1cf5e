/** The only way to a chain: sessions pinned to one endpoint, snapshots pinned to one block hash, and a single send. */
import { Context, type Effect, type Either } from "effect"
import type { Address, Bytes32, Hex } from "../values/Scalars.ts"
import type { BlockUnavailable, RpcFailure, UnsupportedChain } from "./refusals.ts"

export interface Block {
  readonly chainId: number
  readonly number: bigint
  readonly hash: Bytes32
  readonly parentHash: Bytes32
  readonly timestamp: bigint
  readonly baseFeePerGas: bigint | null
}

/** Which transactions a block holds, where the node says so. */
export interface BlockListing {
  readonly hash: Bytes32
  readonly parentHash: Bytes32 | undefined
  readonly transactions: ReadonlySet<unknown> | undefined
}

/** As EIP-2930 has it. */
export interface AccessListEntry {
  readonly address: Hex
  readonly storageKeys: ReadonlyArray<Hex>
}

export interface CallRequest {
  readonly to: Address
  readonly data: Hex
  readonly from?: Address
  readonly value?: bigint
  readonly gas?: bigint
  readonly accessList?: ReadonlyArray<AccessListEntry>
}

/** `Refused` is an error answer without revert data, known by its JSON-RPC code alone. */
export type CallOutcome =
  | { readonly _tag: "Returned"; readonly data: Hex }
  | { readonly _tag: "Reverted"; readonly data: Hex }
  | { readonly _tag: "Refused"; readonly code: number }

export type EstimateOutcome =
  | { readonly _tag: "Estimated"; readonly gas: bigint }
  | Exclude<CallOutcome, { readonly _tag: "Returned" }>

/** What the node knows of a transaction hash: nothing, waiting, or mined. */
export interface KnownTransaction {
  readonly hash: Bytes32
  readonly from: Address
  readonly nonce: bigint
  readonly blockHash: Bytes32 | null
  readonly blockNumber: bigint | null
}

/** A log exactly as the node wrote it, in lower-case JSON-RPC hex. */
export interface RawLog {
  readonly address: Hex
  readonly blockHash: Hex
  readonly blockNumber: Hex
  readonly data: Hex
  readonly logIndex: Hex
  readonly topics: ReadonlyArray<Hex>
  readonly transactionHash: Hex
  readonly transactionIndex: Hex
}

export interface Receipt {
  readonly transactionHash: Bytes32
  readonly blockHash: Bytes32
  readonly blockNumber: bigint
  readonly status: "success" | "reverted"
  readonly from: Address
  readonly to: Address | null
  readonly logs: ReadonlyArray<RawLog>
}

export type FinalityTag = "safe" | "finalized"

/** What a node refused with; its text is dropped at the border. */
export interface NodeError {
  readonly code: number
  readonly data: unknown
}

/** Reads that may travel together in one round trip; each carries the type of its own answer. */
export interface Read<A> {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
  readonly decode: (result: unknown) => Either.Either<A, RpcFailure>
  /** Turns a node's error answer into a value where the protocol gives it a meaning, e.g. a revert; also by whether the node served the tag that it names. */
  readonly onNodeError?: (error: NodeError, servedTag?: boolean) => A | undefined
  readonly finalityTag?: FinalityTag
  /** Seconds that its round trip may take instead of the usual five. */
  readonly deadlineSeconds?: number
  /** Set where the outcome of the call is the same for every sender, so that it may travel through Multicall3. */
  readonly forAnyone?: { readonly to: Address; readonly data: Hex; readonly at: Bytes32 }
}

export type Answers<Reads extends ReadonlyArray<Read<unknown>>> = {
  readonly [K in keyof Reads]: Reads[K] extends Read<infer A> ? A : never
}

/** One endpoint for the whole of an operation. */
export interface ChainSession {
  readonly chainId: number
  /** Which of the chain's endpoints, without its URL. */
  readonly endpoint: string
  /** One round trip where the endpoint takes JSON-RPC batches. */
  readonly all: <const Reads extends ReadonlyArray<Read<unknown>>>(
    reads: Reads
  ) => Effect.Effect<Answers<Reads>, RpcFailure>
  /** Sends the exact bytes to this endpoint once, without any retry; the node's answer is not an outcome. */
  readonly sendRaw: (raw: Hex) => Effect.Effect<SendAnswer, RpcFailure>
}

export interface Begun<Reads extends ReadonlyArray<Read<unknown>>> {
  readonly session: ChainSession
  readonly answers: Answers<Reads>
}

export type SendAnswer =
  | { readonly _tag: "Accepted"; readonly hash: Bytes32 }
  | { readonly _tag: "Refused"; readonly code: number }

/** Reads of one canonical block, each carrying its hash with requireCanonical. */
export interface Snapshot {
  readonly session: ChainSession
  readonly block: Block
  readonly calls: (
    requests: ReadonlyArray<CallRequest>
  ) => Effect.Effect<ReadonlyArray<CallOutcome>, RpcFailure>
  readonly codes: (addresses: ReadonlyArray<Address>) => Effect.Effect<ReadonlyArray<Hex>, RpcFailure>
}

export interface ForeseenSnapshot {
  readonly snapshot: Snapshot
  readonly guesses: ReadonlyArray<CallOutcome>
}

export interface ConfiguredChain {
  readonly id: number
  readonly name: string
  readonly testnet: boolean
  readonly confirmations: number
  /** Whether the node serves these block tags; false until it was seen to. */
  readonly finality: { readonly safe: boolean; readonly finalized: boolean }
}

export interface ChainHealth {
  readonly chainId: number
  readonly state: "healthy" | "degraded" | "unhealthy"
  /** Of the newest block that was shown. */
  readonly headAgeSeconds: number | null
  readonly latencyMs: number | null
  /** Since any endpoint last answered. */
  readonly silentSeconds: number
}

export class ChainClient extends Context.Tag("chain/ChainClient")<
  ChainClient,
  {
    readonly chains: Effect.Effect<ReadonlyArray<ConfiguredChain>>
    readonly chain: (chainId: number) => Effect.Effect<ConfiguredChain, UnsupportedChain>
    readonly session: (chainId: number) => Effect.Effect<ChainSession, RpcFailure | UnsupportedChain>
    /** A session and its first reads in one round trip; until they are answered the next endpoint may still take over. */
    readonly begin: <const Reads extends ReadonlyArray<Read<unknown>>>(
      chainId: number,
      reads: Reads
    ) => Effect.Effect<Begun<Reads>, RpcFailure | UnsupportedChain>
    /** Without `at`: the latest block. With a number: that mined block on the canonical chain. */
    readonly snapshot: (
      chainId: number,
      at?: bigint
    ) => Effect.Effect<Snapshot, RpcFailure | UnsupportedChain | BlockUnavailable>
    /** A snapshot that brings guesses along in its round trip: what calls answer at a block that nothing proves. */
    readonly snapshotWith: (
      chainId: number,
      at: bigint | undefined,
      calls: ReadonlyArray<CallRequest>
    ) => Effect.Effect<ForeseenSnapshot, RpcFailure | UnsupportedChain | BlockUnavailable>
    readonly snapshotOf: (session: ChainSession, block: Block) => Snapshot
    readonly health: Effect.Effect<ReadonlyArray<ChainHealth>>
  }
>() {}

/** A chain that answers what a test scripts and records every question with the round trip it came in. */
import { Effect, Layer } from "effect"
import {
  type Answers,
  type Block,
  ChainClient,
  type ChainSession,
  type Read
} from "../../../src/chain/ChainClient.ts"
import { NodeRefusal } from "../../../src/chain/NodeRefusal.ts"
import { guess } from "../../../src/chain/PinnedReads.ts"
import {
  BlockUnavailable,
  type RpcFailure,
  RpcInvalidResponse,
  RpcUnavailable,
  UnsupportedChain
} from "../../../src/chain/refusals.ts"
import type { Bytes32 } from "../../../src/values/Scalars.ts"
import { answerDependentCalls, isDependentCalls } from "../../support/DependentCalls.ts"
import { answerPackedCalls, isPackedCalls } from "../../support/PackedCalls.ts"

type Reads = ReadonlyArray<Read<unknown>>

export type NodeReply =
  | { readonly result: string }
  | { readonly error: { readonly code: number; readonly data?: unknown } }

export interface Script {
  readonly chainId?: number
  readonly head?: bigint
  /** Of the block that a snapshot finds; every one finds the same where this is left out. */
  readonly hash?: () => Bytes32
  readonly codes?: Readonly<Record<string, string>>
  /** The code of the error in the place of every code. */
  readonly codesRefused?: number
  readonly calls?: (to: string, data: string, value: bigint, gas?: bigint) => NodeReply
  readonly balance?: bigint
  /** What these methods are answered in place of what they would be. */
  readonly others?: Readonly<Record<string, NodeReply>>
  /** Of the results of one round trip. */
  readonly mostCharacters?: () => number | undefined
  /** What calls inside a program of dependent calls are answered. */
  readonly ahead?: (to: string, data: string) => NodeReply
  /** And inside one of packed calls. */
  readonly packed?: (to: string, data: string) => NodeReply
}

export interface Question {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

export interface Traffic {
  readonly snapshots: Array<bigint | undefined>
  readonly batches: Array<ReadonlyArray<Question>>
}

export const noTraffic = (): Traffic => ({ snapshots: [], batches: [] })

export const HASH = `0x${"ab".repeat(32)}` as const

/** A chain that has another block for every snapshot. */
export const eachItsOwn = (): (() => Bytes32) => {
  let blocks = 0
  return () => `0x${(++blocks).toString(16).padStart(64, "0")}`
}

const member = (value: unknown, name: string): string => String(Object(value)[name])

/** A node that runs no creation code is one that foresees nothing. */
const dependentReply = ({ ahead }: Script, data: string): NodeReply => {
  if (ahead === undefined) return { error: { code: -32_000 } }
  const resultOf = (reply: NodeReply) => ("result" in reply ? hex(reply.result) : undefined)
  return { result: answerDependentCalls(data, (to, inner) => resultOf(ahead(to, inner))) }
}

/** What it cannot run inside the program either, the node refuses as a whole. */
const packedReply = ({ packed }: Script, data: string): NodeReply => {
  if (packed === undefined) return { error: { code: -32_000 } }
  const refusals: Array<NodeReply> = []
  const call = (to: string, inner: string) => {
    const reply = packed(to, inner)
    if ("error" in reply && reply.error.code !== 3) refusals.push(reply)
    return "result" in reply ? hex(reply.result) : undefined
  }
  const codeHash = () => HASH
  const result = answerPackedCalls(data, { call, codeHash })
  return refusals[0] ?? { result }
}

const hex = (digits: string): `0x${string}` => `0x${digits.slice(2)}`

const amountOf = (request: unknown, name: "value" | "gas"): bigint => BigInt(Object(request)[name] ?? 0)

const replyTo = (script: Script, { method, params }: Question): NodeReply => {
  const other = script.others?.[method]
  if (other !== undefined) return other
  if (method === "eth_getCode" && script.codesRefused !== undefined)
    return { error: { code: script.codesRefused } }
  if (method === "eth_getCode") return { result: script.codes?.[String(params[0])] ?? "0x" }
  if (method === "eth_getBalance" && script.balance !== undefined)
    return { result: `0x${script.balance.toString(16)}` }
  if (method === "eth_gasPrice" || method === "eth_estimateGas") return { result: "0x5208" }
  if (method !== "eth_call") return { error: { code: -32601 } }
  const [to, data] = [member(params[0], "to"), member(params[0], "data")]
  if (isDependentCalls(data)) return dependentReply(script, data)
  if (isPackedCalls(data)) return packedReply(script, data)
  return (
    script.calls?.(to, data, amountOf(params[0], "value"), amountOf(params[0], "gas")) ?? { result: "0x" }
  )
}

const answer = <A>(script: Script, read: Read<A>): Effect.Effect<A, RpcFailure> => {
  const reply = replyTo(script, read)
  if ("result" in reply) return read.decode(reply.result)
  const { code, data } = reply.error
  const meaning = read.onNodeError?.({ code, data })
  return meaning === undefined ? Effect.fail(new NodeRefusal(read, code)) : Effect.succeed(meaning)
}

const isTooLarge = (script: Script, reads: Reads): boolean => {
  const most = script.mostCharacters?.()
  if (most === undefined) return false
  const results = reads.map(read => replyTo(script, read))
  return results.map(reply => JSON.stringify(reply)).join("").length > most
}

const sessionOf = (script: Script, traffic: Traffic, chainId: number): ChainSession => {
  function all<const R extends Reads>(reads: R): Effect.Effect<Answers<R>, RpcFailure>
  function all(reads: Reads): Effect.Effect<ReadonlyArray<unknown>, RpcFailure> {
    traffic.batches.push(reads.map(({ method, params }) => ({ method, params })))
    return isTooLarge(script, reads)
      ? Effect.fail(new RpcInvalidResponse())
      : Effect.forEach(reads, read => answer(script, read))
  }
  return { chainId, endpoint: "scripted", all, sendRaw: () => Effect.fail(new RpcUnavailable()) }
}

export const scriptedChain = (script: Script, traffic: Traffic = noTraffic()) => {
  const { chainId = 1, head = 100n, hash = () => HASH } = script
  const session = sessionOf(script, traffic, chainId)
  const blockAt = (number: bigint): Block => ({
    chainId,
    number,
    hash: hash(),
    parentHash: HASH,
    timestamp: 1_700_000_000n,
    baseFeePerGas: null
  })
  const unused = () => Effect.die("not part of the script")
  const supported = <A>(asked: number, value: A) =>
    asked === chainId ? Effect.succeed(value) : Effect.fail(new UnsupportedChain())
  return Layer.succeed(ChainClient, {
    chains: Effect.succeed([]),
    chain: asked =>
      supported(asked, {
        id: chainId,
        name: "Scripted",
        testnet: true,
        confirmations: 1,
        finality: { safe: false, finalized: false }
      }),
    session: asked => supported(asked, session),
    begin: unused,
    snapshot: (asked, at) =>
      Effect.gen(function* () {
        traffic.snapshots.push(at)
        if (at !== undefined && at > head) return yield* new BlockUnavailable()
        return yield* supported(asked, { session, block: blockAt(at ?? head), calls: unused, codes: unused })
      }),
    snapshotWith: (asked, at, calls) => {
      traffic.snapshots.push(at)
      if (at !== undefined && at > head) return Effect.fail(new BlockUnavailable())
      const snapshot = { session, block: blockAt(at ?? head), calls: unused, codes: unused }
      const reads = calls.map(request => guess(request, at))
      return Effect.map(
        Effect.all([supported(asked, snapshot), Effect.forEach(reads, read => answer(script, read))]),
        ([taken, outcomes]) => ({ snapshot: taken, guesses: outcomes })
      )
    },
    snapshotOf: (given, block) => ({ session: given, block, calls: unused, codes: unused }),
    health: Effect.succeed([])
  })
}

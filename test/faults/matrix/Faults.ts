/** What each fault of the matrix does to each method: its own form where the method has one, else the general one. */
import type { ProxyFault, Question } from "../../support/RecordingProxy.ts"
import type { Chance } from "../crash/Chance.ts"
import type { FaultName, Method } from "./Cells.ts"

export interface BlockAnswer {
  readonly number: string
  readonly hash: string
}

/** What a lie is made of. */
export interface Scene {
  readonly chance: Chance
  /** A canonical block well below the head. */
  readonly older: BlockAnswer
}

export type Strike = Pick<ProxyFault, "phase" | "act">

const OTHER = `0x${"ab".repeat(32)}`
const SEND = "eth_sendRawTransaction"
const DRIP_MILLIS = 10
const HUGE_BYTES = 6_000_000

const before = (act: ProxyFault["act"]): Strike => ({ phase: "before", act })
const after = (act: ProxyFault["act"]): Strike => ({ phase: "after", act })
const error = (code: number, message: string): Strike => after({ kind: "error", code, message })
const result = (value: unknown): Strike => after({ kind: "result", result: value })
const rewrite = (how: (call: Question, result: unknown) => unknown): Strike =>
  after({ kind: "rewrite", rewrite: how })

/** The honest object with members replaced; anything else stays. */
const told = (honest: unknown, over: object): unknown =>
  typeof honest === "object" && honest !== null ? { ...honest, ...over } : undefined

/** Each result of the method is told with these members. */
const retold = (method: Method, over: object): Strike =>
  rewrite((call, honest) => (call.method === method ? told(honest, over) : undefined))

const FOREIGN: Readonly<Record<string, unknown>> = {
  eth_chainId: "0x1",
  eth_getTransactionReceipt: null,
  eth_getTransactionByHash: null,
  eth_getTransactionCount: "0x0",
  eth_getBalance: "0x0",
  eth_getCode: "0x",
  eth_call: "0x"
}

/** The whole answer comes from a node of another chain. */
const foreign = (method: Method): Strike =>
  method === SEND
    ? before({ kind: "error", code: -32000, message: "invalid chain id" })
    : rewrite((call, honest) =>
        call.method === "eth_getBlockByNumber"
          ? told(honest, { hash: OTHER, parentHash: OTHER, transactions: [] })
          : FOREIGN[call.method]
      )

const lyingHash = (method: Method): Strike => {
  switch (method) {
    case "eth_getBlockByNumber":
    case "eth_getTransactionByHash":
      return retold(method, { hash: OTHER })
    case "eth_getTransactionReceipt":
      return retold(method, { transactionHash: OTHER })
    default:
      return result(OTHER)
  }
}

/** A transaction that is said to be mined, by a node that may never have seen it. */
const minedSomewhere = ({ chance, older }: Scene): Strike =>
  rewrite(({ method, params }, honest) =>
    method === "eth_getTransactionByHash"
      ? {
          ...Object(honest),
          hash: params[0],
          from: "0x0000000000000000000000000000000000000001",
          nonce: "0x0",
          blockHash: chance.happens(0.5) ? OTHER : older.hash,
          blockNumber: older.number
        }
      : undefined
  )

const relocated = (logs: unknown, { number, hash }: BlockAnswer) =>
  Array.isArray(logs) ? logs.map(log => ({ ...Object(log), blockHash: hash, blockNumber: number })) : []

const lyingReceipt = (method: Method, scene: Scene): Strike => {
  if (method === "eth_getTransactionByHash") return minedSomewhere(scene)
  if (method !== "eth_getTransactionReceipt") return result({})
  const { chance, older } = scene
  const lies: readonly [object, ...Array<object>] = [
    { blockHash: OTHER, logs: [] },
    { blockHash: older.hash, blockNumber: older.number, logs: [] },
    { status: "0x0", logs: [] },
    { logs: [] },
    { blockNumber: "0xffffff" }
  ]
  const lie = chance.pick(lies)
  const moved = chance.happens(0.3)
  return rewrite((call, honest) => {
    if (call.method !== method) return undefined
    const logs = Object(honest).logs
    return moved
      ? told(honest, { blockHash: older.hash, blockNumber: older.number, logs: relocated(logs, older) })
      : told(honest, lie)
  })
}

const staleHead = (method: Method, { older }: Scene): Strike =>
  method === "eth_getBlockByNumber"
    ? rewrite((call, honest) =>
        call.method === method && ["latest", "safe", "finalized"].includes(String(call.params[0]))
          ? told(honest, { number: older.number, hash: older.hash, transactions: [] })
          : undefined
      )
    : result(null)

const pendingBelowLatest = (method: Method): Strike =>
  method === "eth_getTransactionCount"
    ? rewrite(call => (call.method === method && call.params[1] === "latest" ? "0x9" : undefined))
    : error(-32000, "the pending state is not available")

const noFinalizedTag = (method: Method): Strike =>
  method === "eth_getBlockByNumber"
    ? rewrite(call =>
        call.method === method && ["safe", "finalized"].includes(String(call.params[0])) ? null : undefined
      )
    : error(-32601, "the method does not exist")

export const strikeOf = (fault: FaultName, method: Method, scene: Scene): Strike => {
  const { chance } = scene
  const either = (act: ProxyFault["act"]) => (chance.happens(0.5) ? before(act) : after(act))
  switch (fault) {
    case "timeout before forwarding":
      return before({ kind: "hang" })
    case "timeout after forwarding":
      return after({ kind: "hang" })
    case "reset":
      return either({ kind: "reset" })
    case "429":
      return before({ kind: "status", status: 429 })
    case "500":
      return either({ kind: "status", status: 500 })
    case "truncated":
      return after({ kind: chance.happens(0.5) ? "truncated" : "cutJson" })
    case "huge":
      return after({ kind: "huge", bytes: HUGE_BYTES })
    case "wrong chain":
      return foreign(method)
    case "wrong id":
      return after({ kind: chance.pick(["wrongId", "missingAnswer", "doubledAnswer"]) })
    case "lying hash":
      return lyingHash(method)
    case "lying receipt":
      return lyingReceipt(method, scene)
    case "stale or rewinding head":
      return staleHead(method, scene)
    case "pending below latest":
      return pendingBelowLatest(method)
    case "null block":
      return result(null)
    case "no finalized tag":
      return noFinalizedTag(method)
    case "already known":
      return error(-32000, "already known")
    case "nonce too low after success":
      return error(-32000, "nonce too low")
    case "accept then drop":
      return method === SEND ? before({ kind: "drop" }) : result(null)
    case "slow drip":
      return after({ kind: "drip", everyMillis: DRIP_MILLIS })
    case "HTML 200":
      return after({ kind: "html" })
  }
}

/** What `doctor` looks at in a node, by what the service needs of it. */
import { numberToHex } from "viem"
import { BATCH_MAXIMUM } from "../chain/JsonRpc.ts"
import { type Check, degradedCheck, failed, ok } from "./Checks.ts"
import { explain } from "./Explain.ts"
import type { Rpc } from "./Rpc.ts"

interface Block {
  readonly hash: string
  readonly number: number
  readonly timestamp: number
  /** The hash of one of its transactions. */
  readonly transaction: string | undefined
  /** Whether its bloom says so. */
  readonly hasLogs: boolean
}

const STALE_SECONDS = 60
/** Of which one that has logs is looked for. */
const NEWEST_BLOCKS = 8
const NO_TRANSACTION = `0x${"0".repeat(64)}`
const METHOD_NOT_FOUND = -32_601
const ZERO = "0x0000000000000000000000000000000000000000"

const blockOf = (value: unknown): Block | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  if (!("hash" in value && "number" in value && "timestamp" in value)) return undefined
  const transactions = "transactions" in value && Array.isArray(value.transactions) ? value.transactions : []
  return {
    hash: String(value.hash),
    number: Number(value.number),
    timestamp: Number(value.timestamp),
    transaction: transactions.map(String)[0],
    hasLogs: "logsBloom" in value && /^0x.*[1-9a-f]/i.test(String(value.logsBloom))
  }
}

const headCheck = ({ number, timestamp }: Block): Check => {
  const age = Math.max(0, Math.round(Date.now() / 1000 - timestamp))
  const detail = `block ${number}, ${age} s old`
  return age <= STALE_SECONDS
    ? ok("head", detail)
    : degradedCheck(
        "head",
        `${detail}; beyond SERVICE_HEAD_MAX_AGE_SECONDS, ${STALE_SECONDS} unless it is set, the service takes a node out of rotation`
      )
}

const accepted = async (
  rpc: Rpc,
  name: string,
  [method, params]: readonly [string, ReadonlyArray<unknown>],
  without: (detail: string) => Check
): Promise<Check> => {
  const reply = await rpc.ask(method, params)
  return "result" in reply && reply.result !== null
    ? ok(name, "served")
    : without("error" in reply ? `${reply.error.code} ${reply.error.message}` : "no answer")
}

const safeCheck = (rpc: Rpc): Promise<Check> =>
  accepted(rpc, "safe", ["eth_getBlockByNumber", ["safe", false]], detail =>
    degradedCheck("safe", `not served (${detail}); receipts carry finality "unknown"`)
  )

/** What executed is judged by the state of its block. */
const finalStateCheck = (rpc: Rpc): Promise<Check> =>
  accepted(rpc, "finalized", ["eth_getBalance", [ZERO, "finalized"]], detail =>
    degradedCheck(
      "finalized",
      `served without its state (${detail}); what is first looked at when its block is that old stays unknown, for STATE_UNAVAILABLE`
    )
  )

const finalizedCheck = async (rpc: Rpc): Promise<Check> => {
  const tag = await accepted(rpc, "finalized", ["eth_getBlockByNumber", ["finalized", false]], detail =>
    degradedCheck(
      "finalized",
      `not served (${detail}); receipts carry finality "unknown", and requests are proved dead by 256 confirmations`
    )
  )
  return tag.verdict === "ok" ? finalStateCheck(rpc) : tag
}

const pinnedCheck = (rpc: Rpc, { hash }: Block): Promise<Check> =>
  accepted(
    rpc,
    "EIP-1898",
    ["eth_call", [{ to: ZERO }, { blockHash: hash, requireCanonical: true }]],
    detail => failed("EIP-1898", `reads pinned to a block hash are refused (${detail}); use another node`)
  )

const simulateCheck = (rpc: Rpc): Promise<Check> =>
  accepted(
    rpc,
    "eth_simulateV1",
    ["eth_simulateV1", [{ blockStateCalls: [{ calls: [] }] }, "latest"]],
    detail =>
      degradedCheck(
        "eth_simulateV1",
        `not served (${detail}); asset changes stay unknown, and a sponsorship takes one call of the chain`
      )
  )

/** An empty block leaves only a hash that nobody has, which any node refuses: then no more than the lack of the method shows. */
const traceCheck = async (rpc: Rpc, { transaction }: Block): Promise<Check> => {
  const name = "debug_traceTransaction"
  const reply = await rpc.ask(name, [transaction ?? NO_TRANSACTION, { tracer: "callTracer" }])
  if ("result" in reply) return ok(name, "served")
  const { code, message } = reply.error
  return transaction === undefined && code !== METHOD_NOT_FOUND
    ? ok(name, "known; the latest block has no transaction to try it on")
    : degradedCheck(
        name,
        `not served (${code} ${message}); an intent's deployment through another contract cannot be proved, nor a sponsored call that was executed so`
      )
}

const newestWithLogs = async (rpc: Rpc, head: Block): Promise<Block | undefined> => {
  let block: Block | undefined = head
  for (let back = 1; block !== undefined && !block.hasLogs && back < NEWEST_BLOCKS; back++)
    block = blockOf(
      await rpc.call("eth_getBlockByNumber", [numberToHex(Math.max(0, head.number - back)), false])
    )
  return block?.hasLogs === true ? block : undefined
}

/** A node that keeps none answers as of a block that has none. */
const logsCheck = async (rpc: Rpc, head: Block): Promise<Check> => {
  const name = "logs"
  const found = await newestWithLogs(rpc, head)
  const reply = await rpc.ask("eth_getLogs", [{ blockHash: (found ?? head).hash }])
  const lack = (what: string) =>
    degradedCheck(
      name,
      `${what}; what became of user operations and sponsored calls stays unknown, and no wallet is inspected`
    )
  if ("error" in reply) return lack(`not served (${reply.error.code} ${reply.error.message})`)
  if (found === undefined) return ok(name, `served; the newest ${NEWEST_BLOCKS} blocks have none to be told`)
  return Array.isArray(reply.result) && reply.result.length > 0
    ? ok(name, `${reply.result.length} told of block ${found.number}`)
    : lack(`none told of block ${found.number}, which has some`)
}

const batchCheck = async (rpc: Rpc): Promise<Check> => {
  const asked = Array.from({ length: BATCH_MAXIMUM }, (_, id) => ({
    jsonrpc: "2.0",
    id,
    method: "eth_chainId",
    params: []
  }))
  const answer = await rpc.post(asked)
  return Array.isArray(answer) && answer.length === BATCH_MAXIMUM
    ? ok("batches", "served")
    : degradedCheck("batches", `not served with ${BATCH_MAXIMUM} calls; every read costs a round trip`)
}

/** Each check stands for itself: a node that drops one call still gets the others' verdicts. */
const settled = (name: string, check: Promise<Check>): Promise<Check> =>
  check.catch((failure: unknown) => failed(name, explain(failure).message))

export const nodeChecks = async (rpc: Rpc): Promise<ReadonlyArray<Check>> => {
  try {
    const chainId = Number(await rpc.call("eth_chainId"))
    const head = blockOf(await rpc.call("eth_getBlockByNumber", ["latest", false]))
    if (head === undefined)
      return [ok("chain", String(chainId)), failed("head", "the node has no latest block")]
    return Promise.all([
      ok("chain", String(chainId)),
      headCheck(head),
      settled("EIP-1898", pinnedCheck(rpc, head)),
      settled("safe", safeCheck(rpc)),
      settled("finalized", finalizedCheck(rpc)),
      settled("eth_simulateV1", simulateCheck(rpc)),
      settled("debug_traceTransaction", traceCheck(rpc, head)),
      settled("logs", logsCheck(rpc, head)),
      settled("batches", batchCheck(rpc))
    ])
  } catch (failure) {
    return [failed("node", explain(failure).message)]
  }
}

/** Which logs of an operation are of which of its calls, where a trace shows each of them whole. */
import { Option } from "effect"
import type { RawLog } from "../chain/ChainClient.ts"
import type { Trace, TracedCall, TracedLog } from "../chain/TraceReads.ts"
import type { OperationBinding } from "../plans/Binding.ts"
import type { Call } from "../plans/Plan.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { WalletCall } from "../values/WalletExecution.ts"
import { severalCalls } from "./WalletCalls.ts"

type Facts = OperationBinding["operation"]

const PAID = "(address,uint256,uint256,uint256,uint256,uint256,uint256,address,uint256,uint256)"
const INNER = keccak256Utf8(`innerHandleOp(bytes,(${PAID},bytes32,uint256,uint256,uint256),bytes)`)
const SELECTOR_DIGITS = 10
const WORD_DIGITS = 64
/** The operation's hash follows the ten words of what it pays, and the place of its calldata. */
const HASH_AT = SELECTOR_DIGITS + 11 * WORD_DIGITS

const isWithin = (call: TracedCall | undefined, outer: TracedCall): boolean => {
  for (let at = call; at !== undefined; at = at.within) if (at === outer) return true
  return false
}

/** The entry point's call to itself that executes the operation. */
const executionOf = ({ calls }: Trace, { entryPoint, operationHash }: Facts): TracedCall | undefined => {
  const [only, another] = calls.filter(
    ({ kind, from, to, input, undone }) =>
      kind === "CALL" &&
      !undone &&
      from === entryPoint &&
      to === entryPoint &&
      input.startsWith(INNER.slice(0, SELECTOR_DIGITS)) &&
      input.slice(HASH_AT, HASH_AT + WORD_DIGITS) === operationHash.slice(2)
  )
  return another === undefined ? only : undefined
}

const isSameCall = ({ to, value, input }: TracedCall, planned: WalletCall): boolean =>
  to === planned.to.toLowerCase() && value === planned.value && input === planned.data.toLowerCase()

/** The wallet's calls that it was told to make, in their order; undefined where the trace shows more of them, fewer or others. */
const madeCalls = (
  inside: ReadonlyArray<TracedCall>,
  planned: ReadonlyArray<WalletCall>,
  sender: Facts["sender"]
): ReadonlyArray<TracedCall> | undefined => {
  const own = inside.filter(
    call =>
      call.kind === "CALL" &&
      !call.undone &&
      call.from === sender &&
      planned.some(each => isSameCall(call, each))
  )
  const outermost = own.filter(call => !own.some(other => other !== call && isWithin(call, other)))
  const isExact =
    outermost.length === planned.length &&
    planned.every((each, at) => outermost[at] !== undefined && isSameCall(outermost[at], each))
  return isExact ? outermost : undefined
}

const textOf = (logs: ReadonlyArray<Pick<RawLog, "address" | "topics" | "data">>): string =>
  canonicalJson(logs.map(({ address, topics, data }) => ({ address, topics, data })))

/** What the entry point, the wallet and who pays write around the calls. */
const isAround = ({ address }: TracedLog, { entryPoint, sender, paymaster }: Facts): boolean =>
  address === entryPoint || address === sender || address === paymaster

interface Executed {
  readonly facts: Facts
  /** The step's. */
  readonly call: Call
  readonly scoped: ReadonlyArray<RawLog>
}

/** The logs of the step's call alone; undefined where the trace and the receipt do not agree on all of them. */
export const splitLogs = (
  trace: Trace,
  { facts, call, scoped }: Executed
): ReadonlyArray<RawLog> | undefined => {
  const execution = executionOf(trace, facts)
  if (execution === undefined) return undefined
  const inside = trace.calls.filter(each => each !== execution && isWithin(each, execution))
  const told = inside.find(({ from, to }) => from === facts.entryPoint && to === facts.sender)
  const planned = told && Option.getOrUndefined(severalCalls(told.input))
  const made = planned && madeCalls(inside, planned, facts.sender)
  const own = made?.[facts.position]
  if (planned?.length !== facts.calls || own === undefined) return undefined
  if (!isSameCall(own, { to: call.to, value: BigInt(call.value), data: call.data })) return undefined
  const logs = trace.logs.filter(({ by }) => !by.undone && isWithin(by, execution)).slice(0, -1)
  const isWhole = textOf(logs) === textOf(scoped)
  const isSplit = logs.every(log => made?.some(each => isWithin(log.by, each)) || isAround(log, facts))
  return isWhole && isSplit ? scoped.filter((_, at) => isWithin(logs[at]?.by, own)) : undefined
}

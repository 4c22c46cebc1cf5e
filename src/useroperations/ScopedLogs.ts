/** Which logs of a bundle's receipt are one operation's, and what its event says of it. */
import { Either } from "effect"
import type { RawLog } from "../chain/ChainClient.ts"
import type { OperationBinding } from "../plans/Binding.ts"
import {
  isBeforeExecution,
  isOperationEvent,
  type OperationEvent,
  operationEvent
} from "./OperationEvents.ts"

const MAXIMUM_LOGS = 2_048
const MAXIMUM_LOG_BYTES = 512 * 1024

type Facts = Pick<
  OperationBinding["operation"],
  "entryPoint" | "operationHash" | "sender" | "nonce" | "paymaster" | "maximumCost"
>

/** Why a receipt proves nothing of an operation. */
export type ScopeDoubt =
  | "RECEIPT_LOGS_UNORDERED"
  | "RECEIPT_LOGS_TOO_MANY"
  | "OPERATION_EVENT_NOT_ONE"
  | "OPERATION_EVENT_DIFFERS"
  | "OPERATION_SCOPE_UNPROVED"

export interface Scoped {
  readonly event: OperationEvent
  /** Without the event itself. */
  readonly logs: ReadonlyArray<RawLog>
}

const isRising = (logs: ReadonlyArray<RawLog>): boolean =>
  logs.every((log, at) => {
    const former = logs[at - 1]
    return former === undefined || BigInt(former.logIndex) < BigInt(log.logIndex)
  })

const ADDRESS_BYTES = 20
const TOPIC_BYTES = 32

/** What the logs say, however their node writes it. */
const bytesOf = (logs: ReadonlyArray<RawLog>): number =>
  logs.reduce(
    (sum, { topics, data }) => sum + ADDRESS_BYTES + TOPIC_BYTES * topics.length + (data.length - 2) / 2,
    0
  )

const faultOf = (logs: ReadonlyArray<RawLog>): ScopeDoubt | undefined => {
  const isLarge = logs.length > MAXIMUM_LOGS || bytesOf(logs) > MAXIMUM_LOG_BYTES
  if (isLarge) return "RECEIPT_LOGS_TOO_MANY"
  return isRising(logs) ? undefined : "RECEIPT_LOGS_UNORDERED"
}

const isOurs = (event: OperationEvent, { sender, nonce, paymaster, maximumCost }: Facts): boolean =>
  event.sender === sender &&
  event.nonce === nonce &&
  event.paymaster === paymaster &&
  event.actualGasCost <= BigInt(maximumCost)

/** Whether the receipt's logs tell of the operation at all. */
export const holdsOperation = (
  logs: ReadonlyArray<RawLog>,
  { entryPoint, operationHash }: Pick<Facts, "entryPoint" | "operationHash">
): boolean => logs.some(log => isOperationEvent(entryPoint, log) && log.topics[1] === operationHash)

/** The logs after the former operation's event, or after the bundle's validation, and before its own event. */
export const scopedLogs = (logs: ReadonlyArray<RawLog>, facts: Facts): Either.Either<Scoped, ScopeDoubt> => {
  const { entryPoint, operationHash } = facts
  const fault = faultOf(logs)
  if (fault !== undefined) return Either.left(fault)
  const places = logs.flatMap((log, at) =>
    isOperationEvent(entryPoint, log) && log.topics[1] === operationHash ? [{ log, at }] : []
  )
  const [own, another] = places
  if (own === undefined || another !== undefined) return Either.left("OPERATION_EVENT_NOT_ONE")
  const event = operationEvent(entryPoint, own.log)
  if (event === undefined || !isOurs(event, facts)) return Either.left("OPERATION_EVENT_DIFFERS")
  const opening = logs
    .slice(0, own.at)
    .findLastIndex(log => isOperationEvent(entryPoint, log) || isBeforeExecution(entryPoint, log))
  return opening < 0
    ? Either.left("OPERATION_SCOPE_UNPROVED")
    : Either.right({ event, logs: logs.slice(opening + 1, own.at) })
}

/** A routed payment that failed inside a gateway, which keeps its money until somebody has it tried again or given back: whoever paid sees nothing amiss. */
import { Either } from "effect"
import type { Abi, AbiParameter } from "../catalog/Abi.ts"
import type { RawLog } from "../chain/ChainClient.ts"
import { checksummed } from "../values/Checksum.ts"
import { eventsOf } from "./Events.ts"

const EVENT = "JBRouterTerminalGateway_QueuePendingCall"
const QUEUED = "0x8131cd0f63546f8658cbaa14c29ab0ef4f0a89c1d59772c843ef73605e358f25"

const parameter = (type: string, name: string): AbiParameter => ({ type, name })

const CALL: AbiParameter = {
  type: "tuple",
  name: "call",
  components: [
    parameter("uint256", "amount"),
    parameter("bool", "preferAddToBalance"),
    parameter("bool", "shouldReturnHeldFees"),
    parameter("address", "beneficiary"),
    parameter("uint256", "projectId"),
    parameter("address", "refundTo"),
    parameter("uint256", "sourceProjectId"),
    parameter("address", "token")
  ]
}

/** Of a contract that the catalog has not. */
const GATEWAY: Abi = [
  {
    type: "event",
    name: EVENT,
    inputs: [
      { ...parameter("bytes32", "id"), indexed: true },
      CALL,
      parameter("string", "memo"),
      parameter("bytes", "metadata"),
      parameter("bytes32", "errorHash"),
      parameter("address", "caller")
    ]
  }
]

const isQueue = ({ topics }: RawLog): boolean => topics[0] === QUEUED

/** One that cannot be read may be of any project. */
const isOfOther = (log: RawLog, projectId: string): boolean => {
  const emitter = { address: checksummed(log.address), abi: GATEWAY }
  const events = Either.getOrElse(eventsOf([log], { emitter, event: EVENT, about: {} }), () => [])
  const [call] = events.map(fields => Object(fields.call))
  return call !== undefined && call.projectId !== projectId && call.sourceProjectId !== projectId
}

export const isQueued = (logs: ReadonlyArray<RawLog>): boolean => logs.some(isQueue)

export const isQueuedFor = (logs: ReadonlyArray<RawLog>, projectId: string): boolean =>
  logs.some(log => isQueue(log) && !isOfOther(log, projectId))

/** What an entry point says of the operations that it executed. */
import type { RawLog } from "../chain/ChainClient.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Bytes32, Hex } from "../values/Scalars.ts"

export const OPERATION_TOPIC = keccak256Utf8(
  "UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)"
)
const BEFORE_EXECUTION_TOPIC = keccak256Utf8("BeforeExecution()")

export interface OperationEvent {
  readonly operationHash: Hex
  /** Lower case. */
  readonly sender: Hex
  /** Null where the wallet paid. */
  readonly paymaster: Hex | null
  readonly nonce: string
  readonly isSuccess: boolean
  readonly actualGasCost: bigint
}

const WORDS = /^0x([0-9a-f]{64})0{63}([01])([0-9a-f]{64})[0-9a-f]{64}$/
const NOBODY: Hex = `0x${"0".repeat(40)}`

const addressIn = (topic: Hex): Hex => `0x${topic.slice(26)}`

const isEvent = (topic: Bytes32, entryPoint: Hex, log: RawLog): boolean =>
  log.address === entryPoint && log.topics[0] === topic

export const isOperationEvent = (entryPoint: Hex, log: RawLog): boolean =>
  isEvent(OPERATION_TOPIC, entryPoint, log)

/** Before it, the logs of a bundle are of its operations' validation, or of what came before the bundle. */
export const isBeforeExecution = (entryPoint: Hex, log: RawLog): boolean =>
  isEvent(BEFORE_EXECUTION_TOPIC, entryPoint, log)

/** Undefined for any other log, and for what the entry point does not write. */
export const operationEvent = (entryPoint: Hex, log: RawLog): OperationEvent | undefined => {
  const [, operationHash, sender, paymaster] = log.topics
  if (!isOperationEvent(entryPoint, log)) return undefined
  const [, nonce, success, cost] = WORDS.exec(log.data) ?? []
  if (operationHash === undefined || sender === undefined || paymaster === undefined || nonce === undefined)
    return undefined
  const payer = addressIn(paymaster)
  return {
    operationHash,
    sender: addressIn(sender),
    paymaster: payer === NOBODY ? null : payer,
    nonce: String(BigInt(`0x${nonce}`)),
    isSuccess: success === "1",
    actualGasCost: BigInt(`0x${cost}`)
  }
}

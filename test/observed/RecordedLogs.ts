/** Recorded logs as a node would give them. */
import { Either } from "effect"
import { type Hex, isHex, keccak256, stringToHex } from "viem"
import type { AbiParameter } from "../../src/catalog/Abi.ts"
import { encodeValues } from "../../src/protocol/AbiValues.ts"
import { eventEntry } from "./EventEntries.ts"
import type { Call, RecordedLog, Value } from "./Recording.ts"

export interface EncodedLog {
  readonly address: Hex
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
}

const encoded = (inputs: ReadonlyArray<AbiParameter>, args: RecordedLog["args"]): Hex =>
  Either.getOrThrow(
    encodeValues(
      inputs,
      inputs.map(({ name }) => args[name])
    )
  )

/** A value without a fixed size stands in a topic by its hash. */
const topicOf = (input: AbiParameter, args: RecordedLog["args"]): Hex => {
  const value: Value = args[input.name] ?? null
  if (input.type === "bytes" && isHex(value)) return keccak256(value)
  return input.type === "string" ? keccak256(stringToHex(String(value))) : encoded([input], args)
}

export const encodedLog = ({ address, event, args }: RecordedLog): EncodedLog => {
  const { inputs } = eventEntry(event, Object.keys(args))
  const indexed = inputs.filter(input => input.indexed === true)
  const others = inputs.filter(input => input.indexed !== true)
  const topics = indexed.map(input => topicOf(input, args))
  return { address, topics: [keccak256(stringToHex(event)), ...topics], data: encoded(others, args) }
}

export const encodedLogs = ({ logs }: Call): ReadonlyArray<EncodedLog> => logs.map(encodedLog)

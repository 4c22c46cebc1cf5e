/** Recorded logs as a node would give them, and a node's as they would have been recorded. */
import { Either } from "effect"
import { encodeAbiParameters, type Hex, isHex, keccak256, stringToHex } from "viem"
import type { AbiParameter } from "../../src/catalog/Abi.ts"
import { decodeValues } from "../../src/protocol/AbiValues.ts"
import { eventEntry } from "./EventEntries.ts"
import { once } from "./Once.ts"
import type { Call, RecordedLog, Value } from "./Recording.ts"

export interface EncodedLog {
  readonly address: Hex
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
}

type Arguments = RecordedLog["args"]

const isIndexed = ({ indexed }: AbiParameter): boolean => indexed === true

/** As contracts write it, who know no limits of callers. */
const encoded = (inputs: ReadonlyArray<AbiParameter>, args: Arguments): Hex =>
  encodeAbiParameters(
    inputs,
    inputs.map(({ name }) => args[name])
  )

/** A value without a fixed size stands in a topic by its hash. */
const topicOf = (input: AbiParameter, args: Arguments): Hex => {
  const value: Value = args[input.name] ?? null
  if (input.type === "bytes" && isHex(value)) return keccak256(value)
  return input.type === "string" ? keccak256(stringToHex(String(value))) : encoded([input], args)
}

export const eventTopic = (event: string): Hex => keccak256(stringToHex(event))

export const encodedLog = once(({ address, event, args }: RecordedLog): EncodedLog => {
  const { inputs } = eventEntry(event, Object.keys(args))
  const indexed = inputs.filter(isIndexed)
  const others = inputs.filter(input => !isIndexed(input))
  const topics = indexed.map(input => topicOf(input, args))
  return { address, topics: [eventTopic(event), ...topics], data: encoded(others, args) }
})

export const encodedLogs = ({ logs }: Call): ReadonlyArray<EncodedLog> => logs.map(encodedLog)

/** The arguments of a log by the names of a recorded one of the same event. */
export const argumentsLike = (
  { event, args }: RecordedLog,
  { topics, data }: Pick<EncodedLog, "topics" | "data">
): Readonly<Record<string, unknown>> => {
  const { inputs } = eventEntry(event, Object.keys(args))
  const values = (some: ReadonlyArray<AbiParameter>, bytes: Hex) =>
    Either.getOrElse(decodeValues(some, bytes), () => some.map(() => bytes))
  const indexed = inputs.filter(isIndexed).map((input, at) => values([input], topics[at + 1] ?? "0x")[0])
  const others = values(
    inputs.filter(input => !isIndexed(input)),
    data
  )
  const next = { indexed: indexed.values(), others: others.values() }
  return Object.fromEntries(
    inputs.map(input => [input.name, (isIndexed(input) ? next.indexed : next.others).next().value])
  )
}

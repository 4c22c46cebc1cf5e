/** The logs of a transaction beside those that were recorded, in order. */
import { eventSignatures } from "../EventEntries.ts"
import { argumentsLike, type EncodedLog, eventTopic } from "../RecordedLogs.ts"
import type { RecordedLog, Value } from "../Recording.ts"
import type { Addresses, Unlike } from "./Compare.ts"

const nameOf = (signature: string): string => signature.slice(0, signature.indexOf("("))

const called = ({ topics: [topic = "0x"], address }: EncodedLog): string =>
  `${nameOf(eventSignatures.get(topic) ?? `${topic}(`)} of ${address}`

const missing = ({ contract, event }: RecordedLog): Unlike => ({
  at: `missing ${nameOf(event)}`,
  recorded: contract,
  actual: undefined
})

const surplus = (log: EncodedLog): Unlike => ({
  at: `surplus ${called(log).split(" ")[0]}`,
  recorded: undefined,
  actual: called(log)
})

/** What was recorded too may be named by the arguments: `reasonDecoded` is none of an event's. */
const declared = ({ reasonDecoded: _, ...args }: RecordedLog["args"]): { readonly [name: string]: Value } =>
  args

const unlikeLog = (
  addresses: Addresses,
  recorded: RecordedLog,
  actual: EncodedLog
): ReadonlyArray<Unlike> => {
  const name = nameOf(recorded.event)
  const args = declared(recorded.args)
  return [
    ...addresses.unlike(recorded.address, actual.address, `${name} emitter`),
    ...addresses.unlike(args, argumentsLike({ ...recorded, args }, actual), name)
  ]
}

/** Logs that come on both sides are compared; what one side has alone is told. */
export const unlikeEvents = (
  addresses: Addresses,
  recorded: ReadonlyArray<RecordedLog>,
  actual: ReadonlyArray<EncodedLog>
): ReadonlyArray<Unlike> => {
  const found: Array<Unlike> = []
  let next = 0
  for (const log of recorded) {
    const topic = eventTopic(log.event)
    const at = actual.findIndex((other, index) => index >= next && other.topics[0] === topic)
    if (at < 0) {
      found.push(missing(log))
      continue
    }
    found.push(...actual.slice(next, at).map(surplus))
    const other = actual[at]
    if (other !== undefined) found.push(...unlikeLog(addresses, log, other))
    next = at + 1
  }
  return [...found, ...actual.slice(next).map(surplus)]
}

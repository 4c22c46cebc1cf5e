/** Events of canonical contracts, read strictly by the ABI that the catalog has of their emitter. */
import { Either } from "effect"
import { type Abi, type AbiParameter, canonicalType } from "../catalog/Abi.ts"
import type { RawLog } from "../chain/ChainClient.ts"
import { decodeValues, encodeValues } from "../protocol/AbiValues.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Address } from "../values/Scalars.ts"

/** Integers are decimal strings, addresses checksummed, tuples objects. */
export type EventFields = Readonly<Record<string, unknown>>

export interface Emitter {
  readonly address: Address
  readonly abi: Abi
}

/** What keeps an event from being believed, in words. */
type Read<A> = Either.Either<A, string>

const parametersOf = ({ abi }: Emitter, event: string): Read<ReadonlyArray<AbiParameter>> => {
  const [parameters, another] = abi.flatMap(entry =>
    entry.type === "event" && entry.name === event ? [entry.inputs ?? []] : []
  )
  return parameters === undefined || another !== undefined
    ? Either.left(`the contract's ABI has not one ${event} event`)
    : Either.right(parameters)
}

/** Whatever does not encode back to the same bytes is not what its contract wrote. */
const fieldsOf = (parameters: ReadonlyArray<AbiParameter>, log: RawLog): EventFields | undefined => {
  const indexed = parameters.filter(parameter => parameter.indexed === true)
  const others = parameters.filter(parameter => parameter.indexed !== true)
  const topics = log.topics.slice(1)
  if (topics.length !== indexed.length) return undefined
  const words = decodeValues(indexed, `0x${topics.map(topic => topic.slice(2)).join("")}`)
  const values = decodeValues(others, log.data)
  if (Either.isLeft(words) || Either.isLeft(values)) return undefined
  const encoded = encodeValues(others, values.right)
  if (Either.isLeft(encoded) || encoded.right !== log.data) return undefined
  const all = [...words.right, ...values.right]
  return Object.fromEntries([...indexed, ...others].map(({ name }, index) => [name, all[index]]))
}

/** In the order of the logs given. */
export const eventsOf = (
  logs: ReadonlyArray<RawLog>,
  emitter: Emitter,
  event: string
): Read<ReadonlyArray<EventFields>> =>
  Either.flatMap(parametersOf(emitter, event), parameters => {
    const topic = keccak256Utf8(`${event}(${parameters.map(canonicalType).join(",")})`)
    const address = emitter.address.toLowerCase()
    return Either.all(
      logs
        .filter(log => log.address === address && log.topics[0] === topic)
        .map(log => Either.fromNullable(fieldsOf(parameters, log), () => `a ${event} event cannot be read`))
    )
  })

/** Events of canonical contracts, read strictly by the ABI that the catalog has of their emitter. */
import { Either } from "effect"
import { type Abi, type AbiParameter, canonicalType } from "../catalog/Abi.ts"
import type { RawLog } from "../chain/ChainClient.ts"
import { decodeValues, isCanonicalEncoding } from "../protocol/AbiValues.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Address } from "../values/Scalars.ts"

/** Integers are decimal strings, addresses checksummed, tuples objects. */
export type EventFields = Readonly<Record<string, unknown>>

export interface Emitter {
  readonly address: Address
  readonly abi: Abi
}

export interface Subject {
  readonly emitter: Emitter
  /** Its name, or its signature where the ABI has several of the name. */
  readonly event: string
  /** The fields by which an event is about this call. */
  readonly about: EventFields
}

/** What keeps an event from being believed, in words. */
type Read<A> = Either.Either<A, string>

interface Declared {
  readonly signature: string
  readonly parameters: ReadonlyArray<AbiParameter>
}

const declaredOf = ({ abi }: Emitter, event: string): Read<Declared> => {
  const [declared, another] = abi.flatMap(
    ({ type, name, inputs: parameters = [] }): ReadonlyArray<Declared> => {
      if (type !== "event" || name !== event.split("(")[0]) return []
      const signature = `${name}(${parameters.map(canonicalType).join(",")})`
      return event === name || event === signature ? [{ signature, parameters }] : []
    }
  )
  return declared === undefined || another !== undefined
    ? Either.left(`the contract's ABI has not one ${event} event`)
    : Either.right(declared)
}

const isIndexed = ({ indexed }: AbiParameter): boolean => indexed === true

const HASHED = /^(?:string|bytes|tuple)$|\]$/

/** A text, bytes, a list and a tuple stand in a topic by their hash. */
const asTopic = (parameter: AbiParameter): AbiParameter =>
  HASHED.test(parameter.type) ? { name: parameter.name, type: "bytes32" } : parameter

const fieldsBy = (parameters: ReadonlyArray<AbiParameter>, values: ReadonlyArray<unknown>): EventFields =>
  Object.fromEntries(parameters.map(({ name }, index) => [name, values[index]]))

const topicsOf = (parameters: ReadonlyArray<AbiParameter>, log: RawLog): EventFields | undefined => {
  const indexed = parameters.filter(isIndexed).map(asTopic)
  const topics = log.topics.slice(1)
  if (topics.length !== indexed.length) return undefined
  const words = decodeValues(indexed, `0x${topics.map(topic => topic.slice(2)).join("")}`)
  return Either.isRight(words) ? fieldsBy(indexed, words.right) : undefined
}

/** Whatever does not encode back to the same bytes is not what its contract wrote. */
const dataOf = (parameters: ReadonlyArray<AbiParameter>, log: RawLog): EventFields | undefined => {
  const others = parameters.filter(parameter => !isIndexed(parameter))
  const values = decodeValues(others, log.data)
  return Either.isRight(values) && isCanonicalEncoding(others, values.right, log.data)
    ? fieldsBy(others, values.right)
    : undefined
}

export const isSame = (value: unknown, expected: unknown): boolean =>
  value !== undefined && expected !== undefined && canonicalJson(value) === canonicalJson(expected)

/** In the order of the logs given; of those whose topics are about something else nothing more is read. */
export const eventsOf = (
  logs: ReadonlyArray<RawLog>,
  { emitter, event, about }: Subject
): Read<ReadonlyArray<EventFields>> =>
  Either.flatMap(declaredOf(emitter, event), ({ signature, parameters }) => {
    const topic = keccak256Utf8(signature)
    const address = emitter.address.toLowerCase()
    const subjects = Object.entries(about)
    const isAbout = (fields: EventFields, known = subjects): boolean =>
      known.every(([name, value]) => isSame(fields[name], value))
    const inTopics = subjects.filter(([subject]) =>
      parameters.some(parameter => isIndexed(parameter) && parameter.name === subject)
    )
    const read = (log: RawLog): Read<ReadonlyArray<EventFields>> => {
      const topics = topicsOf(parameters, log)
      if (topics !== undefined && !isAbout(topics, inTopics)) return Either.right([])
      const data = dataOf(parameters, log)
      if (topics === undefined || data === undefined) return Either.left(`a ${event} event cannot be read`)
      return Either.right([{ ...topics, ...data }].filter(fields => isAbout(fields)))
    }
    const found = logs.filter(log => log.address === address && log.topics[0] === topic)
    return Either.map(Either.all(found.map(read)), events => events.flat())
  })

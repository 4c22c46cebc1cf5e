/**
 * What single events say of a call: about the same thing and the same, about the same thing and another, or nothing.
 * Another, or nothing, is doubt alone: what is read into an event rests on what is known of its contract.
 */
import { Either } from "effect"
import type { RawLog } from "../chain/ChainClient.ts"
import { type EventFields, eventsOf, isSame, type Subject } from "./Events.ts"

export interface Refutation {
  readonly status: "unknown" | "failed"
  readonly reason: string
}

export type Verdict<A> = Either.Either<A, Refutation>

export const doubted = (reason: string): Verdict<never> => Either.left({ status: "unknown", reason })

/** For what a receipt tells in so many words: that the call itself had no effect. */
export const disproved = (reason: string): Verdict<never> => Either.left({ status: "failed", reason })

/** What a field must hold. */
export type Rule = (value: unknown) => boolean

export const is =
  (expected: unknown): Rule =>
  value =>
    isSame(value, expected)

/** A tuple that holds these members, whatever the others. */
export const isWith =
  (members: EventFields): Rule =>
  value =>
    Object.entries(members).every(([name, expected]) => isSame(Object(value)[name], expected))

const INTEGER = /^-?[0-9]+$/

const integer = (value: unknown): bigint | undefined =>
  typeof value === "string" && INTEGER.test(value) ? BigInt(value) : undefined

/** Both ends belong to it; without an upper one there is none. */
export const between =
  (least: string, most?: string): Rule =>
  value => {
    const found = integer(value)
    return found !== undefined && found >= BigInt(least) && (most === undefined || found <= BigInt(most))
  }

interface Statement {
  readonly event: string
  readonly says: Readonly<Record<string, Rule>>
  /** The fields that clients see. */
  readonly shows: ReadonlyArray<string>
}

interface Expected extends Subject, Statement {}

export const eventsAbout = (logs: ReadonlyArray<RawLog>, subject: Subject) =>
  Either.mapLeft(eventsOf(logs, subject), (reason): Refutation => ({ status: "unknown", reason }))

/** What is shown of an event that says what was planned. */
export const agreeing = ({ event, says, shows }: Statement, fields: EventFields): Verdict<EventFields> => {
  const absent = [...Object.keys(says), ...shows].find(name => fields[name] === undefined)
  if (absent !== undefined) return doubted(`the ${event} event has no ${absent}`)
  const [wrong] = Object.entries(says).find(([name, holds]) => !holds(fields[name])) ?? []
  if (wrong !== undefined) return doubted(`the ${event} event has another ${wrong}`)
  return Either.right({ event, ...Object.fromEntries(shows.map(name => [name, fields[name]])) })
}

/** The one event about the call, which must say what was planned. */
export const exactlyOne = (logs: ReadonlyArray<RawLog>, expected: Expected): Verdict<EventFields> =>
  Either.flatMap(eventsAbout(logs, expected), found => {
    const [only, another] = found
    if (only === undefined) return doubted(`no ${expected.event} event is about this call`)
    if (another !== undefined)
      return doubted(`${found.length} ${expected.event} events are about this call instead of one`)
    return agreeing(expected, only)
  })

/** As `exactlyOne`, for an event that adds to the proof where it is there. */
export const atMostOne = (
  logs: ReadonlyArray<RawLog>,
  expected: Expected
): Verdict<ReadonlyArray<EventFields>> =>
  Either.flatMap(eventsAbout(logs, expected), found =>
    found.length === 0 ? Either.right([]) : Either.map(exactlyOne(logs, expected), fields => [fields])
  )

/** An event whose presence alone leaves the effect in doubt. */
export const none = (logs: ReadonlyArray<RawLog>, subject: Subject, reason: string): Verdict<void> =>
  Either.flatMap(eventsAbout(logs, subject), found => (found.length === 0 ? Either.void : doubted(reason)))

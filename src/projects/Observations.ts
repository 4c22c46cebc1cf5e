/** Observations that rest on observations, and where an answer holds unknown ones. */
import { Effect, Predicate } from "effect"
import { known, type Observed, observed, unknown } from "../values/Observed.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import { ReadLimitExceeded } from "./refusals.ts"

export const andThenObserved = <A, B>(on: Observed<A>, next: (value: A) => Observed<B>): Observed<B> =>
  on.status === "known" ? next(on.value) : on

export const mapObserved = <A, B>(on: Observed<A>, change: (value: A) => B): Observed<B> =>
  andThenObserved(on, value => known(change(value)))

/** Unknown where either is, for the reason of the first. */
export const both = <A, B>(a: Observed<A>, b: Observed<B>): Observed<readonly [A, B]> =>
  andThenObserved(a, first => mapObserved(b, second => [first, second] as const))

/** Known only where the condition holds. */
export const provided = <A>(holds: boolean, on: Observed<A>, otherwise: () => AnyRefusal): Observed<A> =>
  holds ? on : unknown(otherwise())

/** A read that rests on an observed value, and is unknown for the same reason as that. */
export const readFrom = <A, B, E, R>(
  on: Observed<A>,
  read: (value: A) => Effect.Effect<B, E, R>
): Effect.Effect<Observed<B>, never, R> =>
  on.status === "known" ? observed(read(on.value)) : Effect.succeed(on)

/** As `map`, where the change reads more. */
export const mapEffect = <A, B, R>(
  on: Observed<A>,
  change: (value: A) => Effect.Effect<B, never, R>
): Effect.Effect<Observed<B>, never, R> =>
  on.status === "known" ? Effect.map(change(on.value), known) : Effect.succeed(on)

/** Side by side, so that reads of one snapshot travel together. */
export const SIDE_BY_SIDE = { concurrency: "unbounded" } as const

export const atMost = <A>(limit: number, list: Observed<ReadonlyArray<A>>): Observed<ReadonlyArray<A>> =>
  andThenObserved(list, items =>
    items.length <= limit
      ? known(items)
      : unknown(new ReadLimitExceeded({ context: { count: items.length, limit } }))
  )

const escaped = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1")

const isUnknown = (value: object): boolean =>
  "status" in value && value.status === "unknown" && "error" in value && Predicate.isRecord(value.error)

/** JSON pointers to the unknown observations of a value. */
const unknownIn = (value: unknown, at = ""): ReadonlyArray<string> => {
  if (!Predicate.isObject(value)) return []
  if (isUnknown(value)) return [at]
  return Object.entries(value).flatMap(([key, member]) => unknownIn(member, `${at}/${escaped(key)}`))
}

export const coverageOf = (value: unknown, notes: ReadonlyArray<string>) => {
  const found = unknownIn(value)
  return { complete: found.length === 0, unknown: found, notes }
}

/** Observations that rest on observations, and where an answer holds unknown ones. */

import { known, type Observed, unknown } from "../values/Observed.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import { ReadLimitExceeded } from "./refusals.ts"

export const andThen = <A, B>(on: Observed<A>, next: (value: A) => Observed<B>): Observed<B> =>
  on.status === "known" ? next(on.value) : on

export const map = <A, B>(on: Observed<A>, change: (value: A) => B): Observed<B> =>
  andThen(on, value => known(change(value)))

/** Unknown where either is, for the reason of the first. */
export const both = <A, B>(a: Observed<A>, b: Observed<B>): Observed<readonly [A, B]> =>
  andThen(a, first => map(b, second => [first, second] as const))

/** Known only where the condition holds. */
export const provided = <A>(holds: boolean, on: Observed<A>, otherwise: () => AnyRefusal): Observed<A> =>
  holds ? on : unknown(otherwise())

export const atMost = <A>(limit: number, list: Observed<ReadonlyArray<A>>): Observed<ReadonlyArray<A>> =>
  andThen(list, items =>
    items.length <= limit
      ? known(items)
      : unknown(new ReadLimitExceeded({ context: { count: items.length, limit } }))
  )

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const escaped = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1")

/** JSON pointers to the unknown observations of a value. */
export const unknownIn = (value: unknown, at = ""): ReadonlyArray<string> => {
  if (!isRecord(value)) return []
  if (value.status === "unknown" && isRecord(value.error)) return [at]
  return Object.entries(value).flatMap(([key, member]) => unknownIn(member, `${at}/${escaped(key)}`))
}

export const coverageOf = (value: unknown, notes: ReadonlyArray<string>) => {
  const found = unknownIn(value)
  return { complete: found.length === 0, unknown: found, notes }
}

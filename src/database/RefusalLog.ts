/** Says in the log why the database refuses, which no answer does: once a minute for each reason. */
import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Predicate } from "effect"
import { steadyMillis } from "../values/SteadyClock.ts"

const SAID_EVERY_MS = 60_000

/** An SQLSTATE, or a code of the operating system. */
const CODE = /^[A-Z0-9_]{2,40}$/

const reasonOf = ({ cause }: SqlError): string => {
  const code: unknown = Predicate.hasProperty(cause, "code") ? cause.code : undefined
  return Predicate.isString(code) && CODE.test(code) ? code : "no connection in time"
}

const saidAt = new Map<string, number>()

export const sayRefusal = (error: SqlError): Effect.Effect<void> =>
  Effect.clockWith(clock => {
    const reason = reasonOf(error)
    const now = steadyMillis(clock)
    if (now - (saidAt.get(reason) ?? Number.NEGATIVE_INFINITY) < SAID_EVERY_MS) return Effect.void
    saidAt.set(reason, now)
    return Effect.annotateLogs(Effect.logWarning("the database refuses"), { reason })
  })

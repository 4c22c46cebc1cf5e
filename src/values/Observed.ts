/** A value that a part of a read may not have: known, or said to be unknown with the reason. */
import { Effect, Schema } from "effect"
import { type ProblemCode, ProblemRegister, problemCodes } from "./ProblemRegister.ts"
import { type AnyRefusal, isRefusal, Refusal, type Refused } from "./Refusal.ts"
import { strict } from "./Strict.ts"

export const Unknown = strict({
  status: Schema.Literal("unknown"),
  error: strict({
    code: Schema.Literal(...problemCodes).annotations({
      identifier: "ProblemCode",
      description: "What went wrong, for programs."
    }),
    message: Schema.String,
    retryable: Schema.Boolean,
    details: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.Unknown }), {
      exact: true
    })
  })
}).annotations({
  identifier: "UnknownObservation",
  description: "The value could not be read, or not be trusted; it is never given a default."
})
export type Unknown = typeof Unknown.Type

interface Known<A> {
  readonly status: "known"
  readonly value: A
}

export type Observed<A> = Known<A> | Unknown

/** `ObservedOf(Uint256)` is a uint that may be unknown. */
export const ObservedOf = <A, I, R>(value: Schema.Schema<A, I, R>) =>
  Schema.Union(strict({ status: Schema.Literal("known"), value }), Unknown)

export const known = <A>(value: A): Known<A> => ({ status: "known", value })

const because = (
  code: ProblemCode,
  fields: Pick<AnyRefusal, "detail" | "context" | "retryable">
): Unknown => ({
  status: "unknown",
  error: {
    code,
    message: fields.detail ?? ProblemRegister[code].sentence,
    retryable: fields.retryable ?? ProblemRegister[code].retryable,
    ...(fields.context === undefined ? {} : { details: fields.context })
  }
})

/** What a failure says of the value it kept away; `unknown(new UnsupportedController())`. */
export const unknown = (failure: unknown): Unknown =>
  isRefusal(failure) ? because(failure._tag, failure) : because("UPSTREAM_FAILURE", {})

/** Turns a failing part into an unknown one, so that it does not fail the whole. */
export const observed = <A, E, R>(part: Effect.Effect<A, E, R>): Effect.Effect<Observed<A>, never, R> =>
  Effect.match(part, { onFailure: unknown, onSuccess: known<A> })

/** The value, or the refusal that kept it away, where nothing can be done without it; one of no such code is an upstream's failure. */
export const required = <A, Code extends ProblemCode>(
  on: Observed<A>,
  codes: ReadonlyArray<Code>
): Effect.Effect<A, Refused<Code | "UPSTREAM_FAILURE">> => {
  if (on.status === "known") return Effect.succeed(on.value)
  const { code, message, retryable, details } = on.error
  const Kept = Refusal<Code | "UPSTREAM_FAILURE">(codes.find(each => each === code) ?? "UPSTREAM_FAILURE")
  const context = details === undefined ? {} : { context: details }
  return Effect.fail(new Kept({ detail: message, retryable, ...context }))
}

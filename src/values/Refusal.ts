/** An expected no: a problem code from the register with what the caller may know about it. */
import { type Cause, Data } from "effect"
import { isProblemCode, type ProblemCode } from "./ProblemRegister.ts"

export type RefusalContext = Readonly<Record<string, unknown>>

export interface RefusalFields {
  readonly detail?: string
  readonly context?: RefusalContext
  readonly retryable?: boolean
  readonly retryAfterSeconds?: number
}

/** A refusal with one of these codes. */
export interface Refused<Code extends ProblemCode> extends Error, RefusalFields {
  readonly _tag: Code
}

export type AnyRefusal = Refused<ProblemCode>

type RefusalClass<Code extends ProblemCode> = new (
  fields?: RefusalFields
) => Cause.YieldableError & RefusalFields & { readonly _tag: Code }

/** `class PlanNotFound extends Refusal("PLAN_NOT_FOUND") {}` makes a refusal that `Effect.catchTag` knows by its code. */
export const Refusal = <const Code extends ProblemCode>(code: Code): RefusalClass<Code> =>
  class extends Data.TaggedError(code)<RefusalFields> {
    constructor(fields: RefusalFields = {}) {
      super(fields)
    }
  }

export const isRefusal = (value: unknown): value is AnyRefusal =>
  value instanceof Error && "_tag" in value && isProblemCode(value._tag)

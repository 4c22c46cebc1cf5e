/** Turns every failure into one problem object; the only place where causes are looked into. */
import { Cause, Effect, Option } from "effect"
import type { Problem } from "../values/Problem.ts"
import { type ProblemCode, ProblemRegister } from "../values/ProblemRegister.ts"
import { type AnyRefusal, isRefusal } from "../values/Refusal.ts"
import type { Answer } from "./Answer.ts"

export const titleOf = (code: ProblemCode): string => {
  const words = code.toLowerCase().replaceAll("_", " ")
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

export interface ProblemSource {
  readonly audience: string
  readonly requestId: string
  readonly diagnosis?: object | undefined
}

const problemOf = (refusal: AnyRefusal, source: ProblemSource): Problem => {
  const code = refusal._tag
  const { status, retryable, sentence } = ProblemRegister[code]
  return {
    type: `${source.audience}/docs/errors#${code.toLowerCase()}`,
    title: titleOf(code),
    status,
    detail: refusal.detail ?? sentence,
    code,
    requestId: source.requestId,
    retryable: refusal.retryable ?? retryable,
    ...(refusal.context === undefined ? {} : { context: refusal.context }),
    ...(source.diagnosis === undefined ? {} : { diagnosis: { ...source.diagnosis } })
  }
}

const problemHeaders = (
  refusal: AnyRefusal,
  { status, retryable }: Problem,
  { audience }: ProblemSource
): Readonly<Record<string, string>> => {
  const allow =
    refusal._tag === "METHOD_NOT_ALLOWED" && Array.isArray(refusal.context?.allow)
      ? refusal.context.allow
      : []
  const later = status === 429 || (status === 503 && retryable) ? 1 : undefined
  const retryAfter = refusal.retryAfterSeconds ?? later
  return {
    "content-type": "application/problem+json",
    ...(status === 401 ? { "www-authenticate": `EIP712 realm="${audience}"` } : {}),
    ...(retryAfter === undefined ? {} : { "retry-after": String(Math.max(1, retryAfter)) }),
    ...(allow.length > 0 ? { allow: allow.join(", ") } : {})
  }
}

export const problemAnswer = (refusal: AnyRefusal, source: ProblemSource): Answer => {
  const problem = problemOf(refusal, source)
  return {
    status: problem.status,
    headers: problemHeaders(refusal, problem, source),
    body: JSON.stringify(problem)
  }
}

const internalError: AnyRefusal = Object.assign(new Error("INTERNAL_ERROR"), {
  _tag: "INTERNAL_ERROR"
} as const)

/** The refusal that a failed request stands for; anything unforeseen is logged whole and told as INTERNAL_ERROR. */
export const refusalOf = (cause: Cause.Cause<AnyRefusal>): Effect.Effect<AnyRefusal> => {
  const failure = Option.getOrUndefined(Cause.failureOption(cause))
  if (failure !== undefined && isRefusal(failure)) return Effect.succeed(failure)
  return Effect.as(Effect.logError("a request failed unforeseen", cause), internalError)
}

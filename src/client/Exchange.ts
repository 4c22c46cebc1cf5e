/** One HTTP exchange: an answer, a problem of the service, or a failure of what lies between. */
import { isProblemCode } from "../values/ProblemRegister.ts"
import { NetworkFailure, type Problem, ServiceProblem, UnexpectedAnswer } from "./Errors.ts"
import type { Outgoing } from "./SignRequest.ts"
import { urlOf } from "./Target.ts"

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

interface Exchanger {
  readonly baseUrl: string
  readonly fetch: Fetch
  readonly timeoutMillis: number
  /** Sees the headers of every answer, problems included. */
  readonly onHeaders?: (headers: Headers) => void
}

export interface Answer<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** Members that a later version of the service adds do not matter here. */
const isProblem = (value: unknown): value is Problem =>
  typeof value === "object" && value !== null && "code" in value && isProblemCode(value.code)

const retryAfter = (headers: Headers): number | undefined => {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : undefined
}

const isJson = (headers: Headers): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\b/.test(headers.get("content-type") ?? "")

const deadline = (timeoutMillis: number, signal: AbortSignal | undefined): AbortSignal => {
  const own = AbortSignal.timeout(timeoutMillis)
  return signal === undefined ? own : AbortSignal.any([own, signal])
}

const failureOf = (text: string): Problem | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isProblem(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Resolves to a success; rejects with `ServiceProblem`, `UnexpectedAnswer` or `NetworkFailure`, or the signal's reason. */
export const exchange = async <Body>(
  by: Exchanger,
  outgoing: Outgoing,
  headers: Readonly<Record<string, string>>,
  signal?: AbortSignal
): Promise<Answer<Body>> => {
  const { method, body } = outgoing
  const url = urlOf(by.baseUrl, outgoing.target)
  const init = { method, headers, redirect: "error", signal: deadline(by.timeoutMillis, signal) } as const
  const unanswered = (cause: unknown): never => {
    signal?.throwIfAborted()
    throw new NetworkFailure(method, url, cause)
  }
  const bytes = body === undefined ? undefined : new TextEncoder().encode(body)
  const response = await by
    .fetch(url, bytes === undefined ? init : { ...init, body: bytes })
    .catch(unanswered)
  by.onHeaders?.(response.headers)
  const text = await response.text().catch(unanswered)
  const problem = response.ok ? undefined : failureOf(text)
  if (problem !== undefined) throw new ServiceProblem(problem, retryAfter(response.headers))
  if (!response.ok || !isJson(response.headers)) throw new UnexpectedAnswer(method, url, response.status)
  return { status: response.status, headers: response.headers, body: JSON.parse(text) }
}

/** One HTTP exchange: an answer, a problem of the service, or a failure of what lies between. */
import type { Problem } from "../values/Problem.ts"
import { NetworkFailure, ServiceProblem, UnexpectedAnswer } from "./Errors.ts"
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

export interface ServiceAnswer<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** Members and codes that a later version of the service adds do not matter here. */
const isProblem = (value: unknown): value is Problem => {
  const { code, requestId, retryable } = Object(value)
  return typeof code === "string" && requestId !== undefined && typeof retryable === "boolean"
}

const retryAfter = (headers: Headers): number | undefined => {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : undefined
}

const isJson = (headers: Headers): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\b/.test(headers.get("content-type") ?? "")

const deadline = (timeoutMillis: number, signal: AbortSignal | undefined): AbortSignal => {
  const own = AbortSignal.timeout(timeoutMillis)
  return signal ? AbortSignal.any([own, signal]) : own
}

interface Parsed<Body> {
  readonly value: Body
}

const parsed = <Body>(text: string): Parsed<Body> | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** The service's own words in the text of an answer, if they are. */
export const problemIn = (text: string): Problem | undefined => {
  const value = parsed<unknown>(text)?.value
  return isProblem(value) ? value : undefined
}

/** Redirects are not followed, by "manual" since workers of some networks know no "error"; a page sees of one no more than 0. */
export const isRedirect = ({ status }: Response): boolean => /^(?:0|30[12378])$/.test(`${status}`)

export const bodyBytes = (body: string | undefined) =>
  body === undefined ? null : new TextEncoder().encode(body)

/** Resolves to a success; rejects with `ServiceProblem`, `UnexpectedAnswer` or `NetworkFailure`, or the signal's reason. */
export const exchange = async <Body>(
  by: Exchanger,
  outgoing: Outgoing,
  headers: Readonly<Record<string, string>>,
  signal?: AbortSignal
): Promise<ServiceAnswer<Body>> => {
  const { method, body } = outgoing
  const url = urlOf(by.baseUrl, outgoing.target)
  const left = deadline(by.timeoutMillis, signal)
  const init = { method, headers, redirect: "manual", signal: left, body: bodyBytes(body) } as const
  const unanswered = (cause: unknown): never => {
    signal?.throwIfAborted()
    throw new NetworkFailure(outgoing, url, cause)
  }
  signal?.throwIfAborted()
  const { fetch } = by
  const response = await fetch(url, init).catch(unanswered)
  by.onHeaders?.(response.headers)
  const text = await response.text().catch(unanswered)
  const { ok, status } = response
  const problem = status < 400 ? undefined : problemIn(text)
  if (problem !== undefined) throw new ServiceProblem(problem, retryAfter(response.headers), outgoing)
  const answer = ok && isJson(response.headers) ? parsed<Body>(text) : undefined
  if (answer === undefined) throw new UnexpectedAnswer(outgoing, url, status)
  return { status, headers: response.headers, body: answer.value }
}

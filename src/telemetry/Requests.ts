/** What is told of each request: one line, its figures, and of some a trace. */

import { createHash } from "node:crypto"
import { Context, Effect, FiberRef, Layer, Metric, MetricBoundaries, MetricLabel, Tracer } from "effect"
import { Settings } from "../settings/Settings.ts"
import { memo } from "../values/Memo.ts"
import { LogSink } from "./LogSink.ts"
import { otlpTracer } from "./OtlpExport.ts"
import { isTraced, TracedShare } from "./PlanTrace.ts"
import { SpanIds } from "./QuietTracer.ts"
import { SPAN_NAME } from "./Stages.ts"

export interface LoggedRequest {
  readonly id: string
  readonly method: string
  readonly route: string | undefined
  /** The problem that was answered. */
  readonly code: string | undefined
  readonly signed: { readonly accountId: string } | undefined
  readonly startedMillis: number
}

export interface LoggedAnswer {
  readonly status: number
  readonly body: { readonly length: number }
}

const METHOD = /^[A-Z]{1,10}$/

/** Many requests end within one millisecond. */
const timestamps = () => {
  let last = { millis: 0, text: "" }
  return (millis: number): string => {
    if (millis !== last.millis) last = { millis, text: new Date(millis).toISOString() }
    return last.text
  }
}

/** One line for each request, without anything that its caller or operator keeps secret. */
export class RequestLog extends Context.Tag("telemetry/RequestLog")<
  RequestLog,
  { readonly write: (request: LoggedRequest, answer: LoggedAnswer) => void }
>() {
  static readonly layer = Layer.effect(
    RequestLog,
    Effect.gen(function* () {
      const sink = yield* LogSink
      const clock = yield* Effect.clock
      const accountHash = makeAccountHash()
      const timestamp = timestamps()
      return {
        write: (request, { status, body }) => {
          const level = status >= 500 ? "warning" : "info"
          if (!sink.takes(level)) return
          sink.write({
            time: timestamp(clock.unsafeCurrentTimeMillis()),
            level,
            event: "request",
            requestId: request.id,
            traceId: traceIdOf(request.id),
            method: METHOD.test(request.method) ? request.method : "other",
            route: request.route ?? null,
            status,
            code: request.code ?? null,
            account: request.signed === undefined ? null : accountHash(request.signed.accountId),
            milliseconds: Math.round((performance.now() - request.startedMillis) * 100) / 100,
            bytes: body.length
          })
        }
      }
    })
  )
}

const requests = Metric.counter("service_requests_total", {
  description: "Requests by route, status and problem code.",
  incremental: true
})
const seconds = Metric.histogram(
  "service_request_seconds",
  MetricBoundaries.fromIterable([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60]),
  "Seconds from a request's first byte here to its answer."
)
const authFailures = Metric.counter("service_auth_failures_total", {
  description: "Requests whose authentication failed, by problem code.",
  incremental: true
})

const AUTH_FAILURES = new Set([
  "AUTH_REQUIRED",
  "INVALID_AUTH",
  "AUTH_EXPIRED",
  "INVALID_SIGNATURE",
  "VERIFIER_UNAVAILABLE",
  "FORBIDDEN",
  "ACCOUNT_NOT_FOUND",
  "NONCE_REUSED"
])

interface Measured {
  readonly route: string | undefined
  readonly code: string | undefined
  readonly startedMillis: number
}

type Tags = Readonly<Record<string, string>>

/** A metric with its labels is looked up once per combination; both sets are small and fixed. */
const remembering = <Type, Out>(metric: Metric.Metric<Type, number, Out>) => {
  const known = new Map<string, Metric.Metric<Type, number, Out>>()
  return (value: number, key: string, tags: () => Tags) => {
    const found = known.get(key)
    if (found !== undefined) return found.unsafeUpdate(value, [])
    const labels = Object.entries(tags()).map(([name, text]) => MetricLabel.make(name, text))
    const tagged = Metric.taggedWithLabels(metric, labels)
    known.set(key, tagged)
    return tagged.unsafeUpdate(value, [])
  }
}

/** Counts and times the requests by route and outcome. */
export const makeRequestMetrics = () => {
  const count = remembering(requests)
  const time = remembering(seconds)
  const fail = remembering(authFailures)
  return ({ route = "none", code = "none", startedMillis }: Measured, status: number): void => {
    count(1, `${route} ${status} ${code}`, () => ({ route, status: String(status), code }))
    time((performance.now() - startedMillis) / 1000, route, () => ({ route }))
    if (AUTH_FAILURES.has(code)) fail(1, code, () => ({ code }))
  }
}

export interface TracedRequest {
  readonly id: string
  readonly method: string
  readonly target: string
  readonly headers: ReadonlyMap<string, ReadonlyArray<string>>
  /** The path of its route, with its parameters' names. */
  readonly template: string | undefined
  readonly code: string | undefined
  readonly signed: { readonly accountId: string } | undefined
}

type Around = <A extends { readonly status: number }, E, R>(
  request: TracedRequest,
  work: Effect.Effect<A, E, R>
) => Effect.Effect<A, E, R>

const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/

/** The caller's trace is linked and not continued: nobody outside decides what is sampled here. */
const linksOf = (traceparent: string | undefined): ReadonlyArray<Tracer.SpanLink> => {
  const [, traceId, spanId] = TRACEPARENT.exec(traceparent ?? "") ?? []
  return traceId === undefined || spanId === undefined
    ? []
    : [{ _tag: "SpanLink", span: Tracer.externalSpan({ traceId, spanId }), attributes: {} }]
}

const PLAN = /\/plans\/([0-9a-f-]{36})(?:\/steps\/(\d{1,2}))?/

const attributesOf = (request: TracedRequest, accountHash: (accountId: string) => string) => {
  const [, plan, step] = PLAN.exec(request.target) ?? []
  const method = METHOD.test(request.method) ? request.method : "_OTHER"
  const { template } = request
  return {
    [SPAN_NAME]: template === undefined ? method : `${method} ${template}`,
    requestId: request.id,
    httpMethod: method,
    ...(template === undefined ? {} : { route: template }),
    ...(request.code === undefined ? {} : { code: request.code }),
    ...(request.signed === undefined ? {} : { account: accountHash(request.signed.accountId) }),
    ...(plan === undefined ? {} : { plan }),
    ...(step === undefined ? {} : { step })
  }
}

/** A span for each would cost a sixth of the throughput, and one in twenty shows every pattern. */
const tracing = (accountHash: (accountId: string) => string, percent: number): Around => {
  return (request, work) =>
    isTraced(request.id, percent)
      ? work.pipe(
          Effect.tap(({ status }) => Effect.annotateCurrentSpan("status", status)),
          Effect.ensuring(
            Effect.suspend(() => Effect.annotateCurrentSpan(attributesOf(request, accountHash)))
          ),
          Effect.withSpan("request", {
            root: true,
            kind: "server",
            links: linksOf(request.headers.get("traceparent")?.[0]),
            context: Context.make(SpanIds, { traceId: traceIdOf(request.id) })
          })
        )
      : Effect.withTracerEnabled(work, false)
}

/** Traces a share of the requests where an OTLP endpoint is configured, and spends nothing where none is. */
export class RequestTrace extends Context.Tag("telemetry/RequestTrace")<
  RequestTrace,
  { readonly around: Around }
>() {
  static readonly layer = Layer.unwrapScoped(
    Effect.gen(function* () {
      const { otlpEndpoint, tracePercent } = yield* Settings
      if (otlpEndpoint === undefined) {
        const around: Around = (_, work) => work
        return Layer.mergeAll(
          Layer.succeed(RequestTrace, { around }),
          Layer.succeed(TracedShare, { percent: 0 }),
          Layer.setTracerEnabled(false)
        )
      }
      const tracer = yield* otlpTracer(otlpEndpoint)
      const around = tracing(makeAccountHash(), tracePercent)
      return Layer.mergeAll(
        Layer.succeed(RequestTrace, { around }),
        Layer.succeed(TracedShare, { percent: tracePercent }),
        Layer.setTracer(tracer)
      )
    })
  )
}

/** A request's trace bears the request's own id, so that either finds the other. */
export const traceIdOf = (requestId: string): string => requestId.replaceAll("-", "")

const NAMES_KEPT = 512
const NAME_BYTES = 8

/** Names an account in logs and traces without telling its address. */
const makeAccountHash = () => {
  const known = memo<string>(NAMES_KEPT)
  return (accountId: string): string =>
    known(accountId, () =>
      createHash("sha256").update(accountId).digest().subarray(0, NAME_BYTES).toString("hex")
    )
}

/** A span around work on the hot path, which costs next to nothing where the request is not traced. */
export const stage =
  (name: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime(fiber =>
      fiber.getFiberRef(FiberRef.currentTracerEnabled) ? Effect.withSpan(work, name) : work
    )

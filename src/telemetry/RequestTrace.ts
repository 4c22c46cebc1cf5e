/** Traces a share of the requests where an OTLP endpoint is configured, and spends nothing where none is. */
import { Context, Effect, Layer, Tracer } from "effect"
import { Settings } from "../settings/Settings.ts"
import { makeAccountHash } from "./AccountHash.ts"
import { otlpTracer } from "./OtlpExport.ts"
import { TraceId } from "./QuietTracer.ts"
import { traceIdOf } from "./TraceId.ts"

/** Of 256 requests: a span for each costs a sixth of the throughput, and one in twenty shows every pattern. */
const SAMPLED_OF_256 = 13

export interface TracedRequest {
  readonly id: string
  readonly target: string
  readonly headers: ReadonlyMap<string, ReadonlyArray<string>>
  readonly route: string | undefined
  readonly code: string | undefined
  readonly signed: { readonly accountId: string } | undefined
}

type Around = <A, E, R>(request: TracedRequest, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/

/** The caller's trace is linked and not continued: nobody outside decides what is sampled here. */
const linksOf = (traceparent: string | undefined): ReadonlyArray<Tracer.SpanLink> => {
  const [, traceId, spanId] = TRACEPARENT.exec(traceparent ?? "") ?? []
  return traceId === undefined || spanId === undefined
    ? []
    : [{ _tag: "SpanLink", span: Tracer.externalSpan({ traceId, spanId }), attributes: {} }]
}

/** The id is random, so its first byte decides as well as a throw. */
const isSampled = (requestId: string): boolean => Number.parseInt(requestId.slice(0, 2), 16) < SAMPLED_OF_256

const PLAN = /\/plans\/([0-9a-f-]{36})(?:\/steps\/(\d{1,2}))?/

const attributesOf = (request: TracedRequest, accountHash: (accountId: string) => string) => {
  const [, plan, step] = PLAN.exec(request.target) ?? []
  return {
    requestId: request.id,
    route: request.route ?? "none",
    ...(request.code === undefined ? {} : { code: request.code }),
    ...(request.signed === undefined ? {} : { account: accountHash(request.signed.accountId) }),
    ...(plan === undefined ? {} : { plan }),
    ...(step === undefined ? {} : { step })
  }
}

const tracing = (accountHash: (accountId: string) => string): Around => {
  return (request, work) =>
    isSampled(request.id)
      ? work.pipe(
          Effect.ensuring(
            Effect.suspend(() => Effect.annotateCurrentSpan(attributesOf(request, accountHash)))
          ),
          Effect.withSpan("request", {
            root: true,
            kind: "server",
            links: linksOf(request.headers.get("traceparent")?.[0]),
            context: Context.make(TraceId, traceIdOf(request.id))
          })
        )
      : Effect.withTracerEnabled(work, false)
}

export class RequestTrace extends Context.Tag("telemetry/RequestTrace")<
  RequestTrace,
  { readonly around: Around }
>() {
  static readonly layer = Layer.unwrapScoped(
    Effect.gen(function* () {
      const { otlpEndpoint } = yield* Settings
      if (otlpEndpoint === undefined) {
        const around: Around = (_, work) => work
        return Layer.merge(Layer.succeed(RequestTrace, { around }), Layer.setTracerEnabled(false))
      }
      const tracer = yield* otlpTracer(otlpEndpoint)
      const around = tracing(makeAccountHash())
      return Layer.merge(Layer.succeed(RequestTrace, { around }), Layer.setTracer(tracer))
    })
  )
}

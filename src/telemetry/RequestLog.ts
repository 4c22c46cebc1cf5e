/** One line for each request, without anything that its caller or operator keeps secret. */
import { Context, Effect, Layer } from "effect"
import { makeAccountHash } from "./AccountHash.ts"
import { LogSink } from "./LogSink.ts"
import { traceIdOf } from "./TraceId.ts"

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

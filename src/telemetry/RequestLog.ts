/** One JSON line for each request, gathered and written once per turn of the event loop. */
import { Context, Effect, Layer } from "effect"
import { Settings } from "../settings/Settings.ts"

export interface LoggedRequest {
  readonly id: string
  readonly method: string
  readonly route: string | undefined
  readonly startedMillis: number
}

export class RequestLog extends Context.Tag("telemetry/RequestLog")<
  RequestLog,
  { readonly write: (request: LoggedRequest, status: number) => void }
>() {
  static readonly layer = Layer.effect(
    RequestLog,
    Effect.map(Settings, ({ log }) => {
      if (log.level === "warning" || log.level === "error") return { write: () => {} }
      let lines = ""
      const flush = () => {
        process.stdout.write(lines)
        lines = ""
      }
      return {
        write: (request, status) => {
          if (lines === "") setImmediate(flush)
          lines += `${JSON.stringify({
            level: "info",
            event: "request",
            requestId: request.id,
            method: request.method,
            route: request.route ?? null,
            status,
            milliseconds: Math.round((performance.now() - request.startedMillis) * 100) / 100
          })}\n`
        }
      }
    })
  )
}

/** What a client's span tells of its HTTP request, by OpenTelemetry's conventions: of the URL its host and port alone, since the rest may hold keys. */
import { Context, Effect, FiberRef, Option, Tracer } from "effect"

/** Parts of names by which some hosts know their customers. */
const KEY = /^(?=.*\d)[\w-]{16,}$/
const PORTS: Readonly<Record<string, number>> = { "https:": 443, "http:": 80 }

const hostOf = ({ hostname }: URL): string =>
  hostname
    .replace(/^\[(.*)\]$/, "$1")
    .split(".")
    .map(part => (KEY.test(part) ? "redacted" : part))
    .join(".")

const clientSpan = (context: Context.Context<never>): Tracer.Span | undefined => {
  const span = Option.getOrUndefined(Context.getOption(context, Tracer.ParentSpan))
  return span?._tag === "Span" && span.kind === "client" ? span : undefined
}

export type HttpSpan = <A extends { readonly status: number }, E extends string>(
  method: string,
  answered: Effect.Effect<A, E>
) => Effect.Effect<A, E>

/** Notes requests to that host on the span around them, where that is a client's. */
export const httpSpan = (url: URL): HttpSpan => {
  const address = hostOf(url)
  const port = url.port === "" ? PORTS[url.protocol] : Number(url.port)
  return (method, answered) =>
    Effect.withFiberRuntime(fiber => {
      const span = clientSpan(fiber.getFiberRef(FiberRef.currentContext))
      if (span === undefined) return answered
      span.attribute("http.request.method", method)
      span.attribute("server.address", address)
      span.attribute("server.port", port)
      return Effect.tapBoth(answered, {
        onFailure: fault => Effect.sync(() => span.attribute("error.type", fault)),
        onSuccess: ({ status }) =>
          Effect.sync(() => {
            span.attribute("http.response.status_code", status)
            if (status >= 400) span.attribute("error.type", String(status))
          })
      })
    })
}

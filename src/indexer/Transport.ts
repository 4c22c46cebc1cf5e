/** One question to a source over HTTP: never redirected, answered within a size bound and a deadline, in strict UTF-8. */
import http, { type IncomingMessage } from "node:http"
import https from "node:https"
import { urlToHttpOptions } from "node:url"
import { Effect, Redacted, type Scope } from "effect"
import { LIMITS } from "./Limits.ts"
import { InvalidResponse, ResponseTooLarge, Timeout, Unavailable, UpstreamHttpError } from "./refusals.ts"

export type TransportRefusal = InvalidResponse | ResponseTooLarge | Timeout | Unavailable | UpstreamHttpError

type Answered = Effect.Effect<unknown, TransportRefusal>

export interface Transport {
  readonly post: (body: string) => Answered
}

const IDLE_MILLIS = 4_000
const MAXIMUM_SOCKETS = 64

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const parsed = (bytes: Uint8Array): Answered =>
  Effect.try({ try: (): unknown => JSON.parse(utf8.decode(bytes)), catch: () => new InvalidResponse() })

const httpError = (status: number) =>
  new UpstreamHttpError({ context: { status }, retryable: status === 429 || status >= 500 })

const declaredSize = ({ headers }: IncomingMessage): number => Number(headers["content-length"] ?? 0)

const isEncoded = ({ headers }: IncomingMessage): boolean =>
  !["", "identity"].includes(headers["content-encoding"] ?? "")

type Finish = (answered: Answered) => void

/** What is wrong with an answer before its body is read. */
const faultOf = (response: IncomingMessage): Answered | undefined => {
  const status = response.statusCode ?? 0
  if (status < 200 || status >= 300) return httpError(status)
  if (isEncoded(response)) return new InvalidResponse()
  return declaredSize(response) > LIMITS.maxResponseBytes ? new ResponseTooLarge() : undefined
}

const receive = (response: IncomingMessage, finish: Finish): void => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  const end = (answered: Answered) => {
    finish(answered)
    response.destroy()
  }
  response.on("error", () => finish(new Unavailable()))
  const fault = faultOf(response)
  if (fault !== undefined) {
    end(fault)
    return
  }
  response.on("data", (chunk: Uint8Array) => {
    size += chunk.length
    if (size <= LIMITS.maxResponseBytes) chunks.push(chunk)
    else end(new ResponseTooLarge())
  })
  response.on("end", () => finish(parsed(Buffer.concat(chunks))))
}

/** The operators' headers stand beside ours, which nobody replaces. */
export const makeTransport = (
  url: Redacted.Redacted<string>,
  headers: Redacted.Redacted<Readonly<Record<string, string>>>
): Effect.Effect<Transport, never, Scope.Scope> =>
  Effect.gen(function* () {
    const target = new URL(Redacted.value(url))
    const secure = target.protocol === "https:"
    const keeping = { keepAlive: true, timeout: IDLE_MILLIS, maxSockets: MAXIMUM_SOCKETS }
    const agent = secure ? new https.Agent(keeping) : new http.Agent(keeping)
    const send = secure ? https.request : http.request
    yield* Effect.addFinalizer(() => Effect.sync(() => agent.destroy()))
    const own = {
      accept: "application/json",
      "content-type": "application/json",
      "accept-encoding": "identity"
    }
    const lower = Object.entries(Redacted.value(headers)).map(([name, value]) => [name.toLowerCase(), value])
    const options = { ...urlToHttpOptions(target), method: "POST", agent }
    const fixed = { ...Object.fromEntries(lower), ...own }
    const once = (body: string): Answered =>
      Effect.async(resume => {
        const request = send({
          ...options,
          headers: { ...fixed, "content-length": Buffer.byteLength(body) }
        })
        request.on("error", () => resume(new Unavailable()))
        request.on("response", response => receive(response, resume))
        request.end(body)
        return Effect.sync(() => request.destroy())
      })
    return {
      post: body =>
        Effect.timeoutFail(once(body), { duration: LIMITS.timeoutMs, onTimeout: () => new Timeout() })
    }
  })

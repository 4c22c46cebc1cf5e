/** One HTTP POST of JSON: sent exactly once, never redirected, answered within a size bound and a deadline. */
import http, { type IncomingMessage } from "node:http"
import https from "node:https"
import { urlToHttpOptions } from "node:url"
import { Effect, Redacted, type Scope } from "effect"
import { makeDeadlines } from "../values/Deadlines.ts"
import { parsedUrl } from "../values/ParsedUrl.ts"
import { RpcInvalidResponse, RpcTimeout, RpcUnavailable } from "./refusals.ts"

const MAXIMUM_RESPONSE_BYTES = 5 * 1024 * 1024
/** Shorter than servers keep idle connections, so that a request seldom meets a closing one. */
const IDLE_MILLIS = 4_000
const MAXIMUM_SOCKETS = 64

export interface HttpAnswer {
  readonly status: number
  /** Parsed JSON where the status is 2xx. */
  readonly body: unknown
}

export type TransportFailure = RpcUnavailable | RpcInvalidResponse | RpcTimeout

type Answered = Effect.Effect<HttpAnswer, TransportFailure>

export interface Exchange {
  /** Milliseconds of the clock that deadlines are told by. */
  readonly now: () => number
  readonly post: (body: string, until: number) => Answered
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

const transportOf = (url: URL) => {
  const agent = { keepAlive: true, timeout: IDLE_MILLIS, maxSockets: MAXIMUM_SOCKETS }
  if (url.protocol === "https:") return { request: https.request, agent: new https.Agent(agent) }
  if (url.protocol === "http:" && LOOPBACK.test(url.hostname))
    return { request: http.request, agent: new http.Agent(agent) }
  return undefined
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

const parsed = (status: number, bytes: Uint8Array): Answered => {
  try {
    const body: unknown = JSON.parse(utf8.decode(bytes))
    return Effect.succeed({ status, body })
  } catch {
    return Effect.fail(new RpcInvalidResponse())
  }
}

type Finish = (answered: () => Answered) => void

const unavailable = (): Answered => Effect.fail(new RpcUnavailable())
const invalid = (): Answered => Effect.fail(new RpcInvalidResponse())
const late = (): Answered => Effect.fail(new RpcTimeout())

const receive = (response: IncomingMessage, finish: Finish): void => {
  response.on("error", () => finish(unavailable))
  const status = response.statusCode ?? 0
  if (status < 200 || status >= 300) {
    finish(() => Effect.succeed({ status, body: undefined }))
    response.destroy()
    return
  }
  const chunks: Array<Uint8Array> = []
  let size = 0
  response.on("data", (chunk: Uint8Array) => {
    size += chunk.length
    if (size <= MAXIMUM_RESPONSE_BYTES) {
      chunks.push(chunk)
      return
    }
    finish(invalid)
    response.destroy()
  })
  response.on("end", () => {
    const [first] = chunks
    finish(() => parsed(status, first && chunks.length === 1 ? first : Buffer.concat(chunks, size)))
  })
}

/** Node's client rather than fetch: fetch repeats a request by itself on 421, and the bytes must leave once. */
export const httpExchange = (url: Redacted.Redacted<string>): Effect.Effect<Exchange, never, Scope.Scope> =>
  Effect.gen(function* () {
    const target = parsedUrl(Redacted.value(url))
    const transport = target && transportOf(target)
    if (!target || !transport)
      return yield* Effect.dieMessage("an RPC URL is neither https nor loopback http")
    yield* Effect.addFinalizer(() => Effect.sync(() => transport.agent.destroy()))
    const { now, watch } = yield* makeDeadlines
    const options = { ...urlToHttpOptions(target), method: "POST", agent: transport.agent }
    const headersOf = (body: string) => ({
      "content-type": "application/json",
      "accept-encoding": "identity",
      "content-length": Buffer.byteLength(body)
    })
    const post = (body: string, until: number): Answered =>
      Effect.async(resume => {
        const request = transport.request({ ...options, headers: headersOf(body) })
        let finished = false
        const finish: Finish = answered => {
          if (finished) return
          finished = true
          unwatch()
          resume(answered())
        }
        const unwatch = watch(until, () => {
          finish(late)
          request.destroy()
        })
        request.on("error", () => finish(unavailable))
        request.on("response", response => receive(response, finish))
        request.end(body)
        return Effect.sync(() => {
          finished = true
          unwatch()
          request.destroy()
        })
      })
    return { now, post }
  })

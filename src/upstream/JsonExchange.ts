/** One HTTP request of JSON to a node, an indexed source or a provider: sent exactly once, never redirected, within a size bound and a deadline. */
import http, { type IncomingMessage } from "node:http"
import https from "node:https"
import { urlToHttpOptions } from "node:url"
import { Effect, type Scope } from "effect"
import { httpSpan } from "./HttpSpan.ts"

export type ExchangeFault = "unreachable" | "late" | "oversized" | "unreadable"

export interface HttpAnswer {
  readonly status: number
  /** Parsed JSON where the status is 2xx; where it is 4xx, as far as it is read and is some. */
  readonly body: unknown
}

/** Calls `expire` when it is late, unless the returned function was called before. */
export type Deadline = (expire: () => void) => () => void

export interface JsonExchange {
  readonly post: (body: string, deadline?: Deadline) => Effect.Effect<HttpAnswer, ExchangeFault>
  /** On a connection of its own, which its server does not close as idle meanwhile: for what may leave only once. */
  readonly postAlone: (body: string, deadline?: Deadline) => Effect.Effect<HttpAnswer, ExchangeFault>
  /** Of another path of the same origin. */
  readonly get: (path: string, deadline?: Deadline) => Effect.Effect<HttpAnswer, ExchangeFault>
}

/** Shorter than servers keep idle connections, so that a request seldom meets a closing one. */
const IDLE_MILLIS = 4_000
const MAXIMUM_SOCKETS = 64
const KEPT = { keepAlive: true, timeout: IDLE_MILLIS, maxSockets: MAXIMUM_SOCKETS }

const OWN_HEADERS = {
  accept: "application/json",
  "content-type": "application/json",
  "accept-encoding": "identity"
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

type Answered = Effect.Effect<HttpAnswer, ExchangeFault>
type Finish = (answered: Answered) => void

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

const OF_WHO_ASKS = [401, 403, 408, 429]

/** A status that speaks of who asks and of the moment, and of nothing that was asked. */
export const isOfWhoAsks = (status: number): boolean => OF_WHO_ASKS.includes(status)

/** What a refusal says beside its status may be anything. */
const faulty = (status: number, fault: ExchangeFault): Answered =>
  isSuccess(status) ? Effect.fail(fault) : Effect.succeed({ status, body: undefined })

const parsed = (status: number, bytes: Uint8Array): Answered =>
  Effect.orElse(
    Effect.try((): HttpAnswer => ({ status, body: JSON.parse(utf8.decode(bytes)) })),
    () => faulty(status, "unreadable")
  )

interface Asked {
  readonly method: string
  readonly path?: string
  readonly body?: string
  readonly agent?: false
}

interface Reading {
  readonly maximumBytes: number
  readonly refusals: boolean
}

const isRead = (status: number, { refusals }: Reading): boolean =>
  isSuccess(status) || (refusals && status >= 400 && status < 500)

/** What is told before the body is read. */
const atOnce = (
  { statusCode: status = 0, headers }: IncomingMessage,
  reading: Reading
): Answered | undefined => {
  if (!isRead(status, reading)) return Effect.succeed({ status, body: undefined })
  if (!["", "identity"].includes(headers["content-encoding"] ?? "")) return faulty(status, "unreadable")
  const length = Number(headers["content-length"] ?? 0)
  return length > reading.maximumBytes ? faulty(status, "oversized") : undefined
}

const receive = (response: IncomingMessage, reading: Reading, finish: Finish): void => {
  const { statusCode = 0 } = response
  const chunks: Array<Uint8Array> = []
  let size = 0
  const end = (answered: Answered) => {
    finish(answered)
    response.destroy()
  }
  response.on("error", () => finish(Effect.fail("unreachable")))
  const early = atOnce(response, reading)
  if (early !== undefined) {
    end(early)
    return
  }
  response.on("data", (chunk: Uint8Array) => {
    size += chunk.length
    if (size <= reading.maximumBytes) chunks.push(chunk)
    else end(faulty(statusCode, "oversized"))
  })
  response.on("end", () => {
    const [first] = chunks
    finish(parsed(statusCode, first && chunks.length === 1 ? first : Buffer.concat(chunks, size)))
  })
}

export interface Way {
  readonly url: URL
  readonly maximumBytes: number
  /** Whether what stands under statuses of 4xx is read too. */
  readonly readsRefusals?: boolean
  /** Those of operators stand beside ours, which nobody replaces. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Node's client rather than fetch: fetch repeats a request by itself on 421, and the bytes must leave once. */
export const jsonExchange = ({
  url,
  maximumBytes,
  readsRefusals = false,
  headers = {}
}: Way): Effect.Effect<JsonExchange, never, Scope.Scope> => {
  const [client, makeAgent] =
    url.protocol === "https:"
      ? ([https, () => new https.Agent(KEPT)] as const)
      : ([http, () => new http.Agent(KEPT)] as const)
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const fixed = { ...Object.fromEntries(lower), ...OWN_HEADERS }
  const agents = Effect.acquireRelease(Effect.sync(makeAgent), agent => Effect.sync(() => agent.destroy()))
  const noted = httpSpan(url)
  const reading = { maximumBytes, refusals: readsRefusals }
  return Effect.map(agents, agent => {
    const options = { ...urlToHttpOptions(url), agent }
    const send = ({ body, ...asked }: Asked, deadline: Deadline = () => () => {}): Answered =>
      Effect.async(resume => {
        const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) }
        const request = client.request({ ...options, ...asked, headers: { ...fixed, ...length } })
        let finished = false
        const leave = () => {
          finished = true
          unwatch()
        }
        const finish: Finish = answered => {
          if (finished) return
          leave()
          resume(answered)
        }
        const unwatch = deadline(() => {
          finish(Effect.fail("late"))
          request.destroy()
        })
        request.on("error", () => finish(Effect.fail("unreachable")))
        request.on("response", response => receive(response, reading, finish))
        request.end(body)
        return Effect.sync(() => {
          leave()
          request.destroy()
        })
      })
    return {
      post: (body, deadline) => noted("POST", send({ method: "POST", body }, deadline)),
      postAlone: (body, deadline) => noted("POST", send({ method: "POST", body, agent: false }, deadline)),
      get: (path, deadline) => noted("GET", send({ method: "GET", path }, deadline))
    }
  })
}

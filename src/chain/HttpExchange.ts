/** One HTTP POST of JSON: sent exactly once, never redirected, answered within a size bound. */
import http, { type IncomingMessage } from "node:http"
import https from "node:https"
import { Effect, Redacted, type Scope } from "effect"
import { RpcInvalidResponse, RpcUnavailable } from "./refusals.ts"

const MAXIMUM_RESPONSE_BYTES = 5 * 1024 * 1024
/** Shorter than servers keep idle connections, so that a request seldom meets a closing one. */
const IDLE_MILLIS = 4_000
const MAXIMUM_SOCKETS = 64

export interface HttpAnswer {
  readonly status: number
  /** Parsed JSON where the status is 2xx. */
  readonly body: unknown
}

export type Exchange = (body: string) => Effect.Effect<HttpAnswer, RpcUnavailable | RpcInvalidResponse>

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

const transportOf = (url: URL) => {
  const agent = { keepAlive: true, timeout: IDLE_MILLIS, maxSockets: MAXIMUM_SOCKETS }
  if (url.protocol === "https:") return { request: https.request, agent: new https.Agent(agent) }
  if (url.protocol === "http:" && LOOPBACK.test(url.hostname))
    return { request: http.request, agent: new http.Agent(agent) }
  return undefined
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

const bounded = async (response: IncomingMessage): Promise<Uint8Array | undefined> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of response) {
    size += chunk.length
    if (size > MAXIMUM_RESPONSE_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

const parsed = (bytes: Uint8Array | undefined): Effect.Effect<unknown, RpcInvalidResponse> =>
  bytes === undefined
    ? Effect.fail(new RpcInvalidResponse())
    : Effect.try({ try: () => JSON.parse(utf8.decode(bytes)), catch: () => new RpcInvalidResponse() })

const answered = (response: { status: number; bytes: Uint8Array | undefined }) =>
  response.status >= 200 && response.status < 300
    ? Effect.map(parsed(response.bytes), (body): HttpAnswer => ({ status: response.status, body }))
    : Effect.succeed<HttpAnswer>({ status: response.status, body: undefined })

/** Node's client rather than fetch: fetch repeats a request by itself on 421, and the bytes must leave once. */
export const httpExchange = (url: Redacted.Redacted<string>): Effect.Effect<Exchange, never, Scope.Scope> =>
  Effect.gen(function* () {
    const target = URL.canParse(Redacted.value(url)) ? new URL(Redacted.value(url)) : undefined
    const transport = target && transportOf(target)
    if (!target || !transport)
      return yield* Effect.dieMessage("an RPC URL is neither https nor loopback http")
    yield* Effect.addFinalizer(() => Effect.sync(() => transport.agent.destroy()))
    const send = (body: string, signal: AbortSignal) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const headers = {
          "content-type": "application/json",
          "accept-encoding": "identity",
          "content-length": Buffer.byteLength(body)
        }
        const options = { method: "POST", agent: transport.agent, headers, signal }
        transport.request(target, options, resolve).on("error", reject).end(body)
      })
    const exchange = async (body: string, signal: AbortSignal) => {
      const response = await send(body, signal)
      const status = response.statusCode ?? 0
      if (status >= 200 && status < 300) return { status, bytes: await bounded(response) }
      response.destroy()
      return { status, bytes: undefined }
    }
    return body =>
      Effect.tryPromise({ try: signal => exchange(body, signal), catch: () => new RpcUnavailable() }).pipe(
        Effect.flatMap(answered)
      )
  })

/** What goes back on the wire: status, headers and bytes. */
import type { Socket } from "node:net"
import { Effect } from "effect"
import { declaresBody } from "./BufferedRequest.ts"
import type { Exchange } from "./Exchange.ts"
import { ResponseTooLarge } from "./refusals.ts"

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string
  /** Names and values in turn, all but the request's own: made once for an answer that is given often. */
  readonly rawHeaders?: ReadonlyArray<string>
}

export const MAXIMUM_RESPONSE_BYTES = 5 * 1024 * 1024

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit, RateLimit-Policy, Location, Idempotent-Replayed"
}

const ALLOWED_HEADERS =
  "X-Service-Account, X-Service-Signer, X-Service-Grant, X-Service-Issued-At, X-Service-Expires-At, X-Service-Nonce, X-Service-Signature, Idempotency-Key, Content-Type, traceparent"

export const corsPreflight: Answer = {
  status: 204,
  headers: {
    "access-control-allow-methods": "GET, HEAD, POST, PATCH, DELETE, OPTIONS",
    "access-control-allow-headers": ALLOWED_HEADERS,
    "access-control-max-age": "600"
  },
  body: ""
}

/** Its body stays text: Node then sends head and body in one write. */
export const jsonAnswer = (
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
  write: (value: unknown) => string = JSON.stringify
): Effect.Effect<Answer, ResponseTooLarge> => {
  const body = write(value)
  return Buffer.byteLength(body) > MAXIMUM_RESPONSE_BYTES
    ? Effect.fail(new ResponseTooLarge({ context: { limitBytes: MAXIMUM_RESPONSE_BYTES } }))
    : Effect.succeed({ status, headers: { "content-type": "application/json", ...headers }, body })
}

/** What every answer carries, whatever it is. */
export const BARE_HEADERS = { "x-content-type-options": "nosniff", "cache-control": "no-store" }

const ON_PAGES = Object.entries(BARE_HEADERS)
const ON_API = [...ON_PAGES, ...Object.entries(CORS)]

/** An answer that can have no body says nothing of its length. */
const hasLength = ({ status }: Answer): boolean => status !== 204 && status !== 304

const lengthOf = ({ body }: Answer): number =>
  typeof body === "string" ? Buffer.byteLength(body) : body.length

/** A connection whose request was not read to its end cannot carry another one. */
const leavesBodyUnread = (exchange: Exchange): boolean => !exchange.request.complete && declaresBody(exchange)

const quotaHeaders = ({ kind, figures }: NonNullable<Exchange["quota"]>): ReadonlyArray<string> => {
  const { limit, remaining, resetSeconds } = figures
  return [
    "ratelimit-limit",
    String(limit),
    "ratelimit-remaining",
    String(remaining),
    "ratelimit",
    `"${kind}";r=${remaining};t=${resetSeconds}`,
    "ratelimit-policy",
    `"${kind}";q=${limit};w=60`
  ]
}

/** Names and values in turn, as Node sends them fastest. */
const headersOf = ({ target, quota }: Exchange, answer: Answer): Array<string> => {
  const own = answer.headers
  const raw: Array<string> = []
  for (const [name, value] of target.startsWith("/api/v1") ? ON_API : ON_PAGES)
    if (!(name in own)) raw.push(name, value)
  for (const name of Object.keys(own)) raw.push(name, own[name] ?? "")
  if (hasLength(answer)) raw.push("content-length", String(lengthOf(answer)))
  if (quota !== undefined) raw.push(...quotaHeaders(quota))
  return raw
}

/** The same answer with its headers in the form that is sent, for the kind of target that the exchange has. */
export const prepared = (exchange: Exchange, answer: Answer): Answer => ({
  ...answer,
  rawHeaders: headersOf(exchange, answer)
})

/** RFC 9112, 9.6: closed at once, a connection would be reset by what the client still writes, and the answer lost with it; none of that is parsed. */
export const endAfter = ({ request, response }: Exchange, linger: (socket: Socket) => void): void => {
  const { socket } = request
  response.shouldKeepAlive = false
  socket.destroySoon = () => {
    socket.end()
    socket.removeAllListeners("data").on("data", () => {})
    linger(socket)
  }
}

interface Sending {
  /** Whether the connection carries no other answer. */
  readonly isLast: boolean
  /** Reads on from a connection whose own side has ended. */
  readonly linger: (socket: Socket) => void
}

export const send = (exchange: Exchange, answer: Answer, { isLast, linger }: Sending): void => {
  const { response } = exchange
  if (response.headersSent || response.destroyed) return
  if (!response.shouldKeepAlive || leavesBodyUnread(exchange)) endAfter(exchange, linger)
  if (isLast) response.shouldKeepAlive = false
  const raw = answer.rawHeaders ?? headersOf(exchange, answer)
  response.writeHead(answer.status, [...raw, "x-request-id", exchange.id])
  response.end(exchange.method === "HEAD" ? undefined : answer.body)
}

/** Reads a request's body once, as raw bytes, within its bound. */
import { Effect, Either } from "effect"
import { type Exchange, header } from "./Exchange.ts"
import type { Reading } from "./InWork.ts"
import {
  BodyTimeout,
  BodyTooLarge,
  GetBodyUnsupported,
  InvalidInput,
  UnsupportedEncoding,
  UnsupportedMediaType
} from "./refusals.ts"

export const NO_BODY = new Uint8Array(0)
const MAXIMUM_CONTENT_TYPE = 256
const CHUNKED = "chunked"
const JSON_TYPE = /^application\/json(?:[ \t]*;.*)?$/i

export interface BodyRule {
  readonly takesBody: boolean
  readonly bytes: number
}

export const declaresBody = ({ request: { headers } }: Exchange): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

const tooLarge = (bytes: number) => new BodyTooLarge({ context: { limitBytes: bytes } })

const checkMediaType = (exchange: Exchange) => {
  const type = header(exchange, "content-type") ?? ""
  return JSON_TYPE.test(type) &&
    type.length <= MAXIMUM_CONTENT_TYPE &&
    exchange.headers.get("content-type")?.length === 1
    ? Either.void
    : Either.left(new UnsupportedMediaType({ context: { expected: "application/json" } }))
}

/** What can be refused from the headers, before anything is read. */
export const checkDeclaredBody = (exchange: Exchange, rule: BodyRule) => {
  if (exchange.method === "GET" || exchange.method === "HEAD")
    return declaresBody(exchange) ? Either.left(new GetBodyUnsupported()) : Either.void
  const encodings = exchange.headers.get("content-encoding") ?? []
  if (!encodings.every(encoding => ["", "identity"].includes(encoding.toLowerCase())))
    return Either.left(new UnsupportedEncoding())
  if ((exchange.request.headers["transfer-encoding"] ?? CHUNKED).toLowerCase() !== CHUNKED)
    return Either.left(
      new UnsupportedEncoding({ context: { header: "Transfer-Encoding", expected: CHUNKED } })
    )
  if (!rule.takesBody)
    return declaresBody(exchange)
      ? Either.left(new InvalidInput({ context: { path: "", expected: "no body" } }))
      : Either.void
  if (Number(header(exchange, "content-length") ?? 0) > rule.bytes) return Either.left(tooLarge(rule.bytes))
  return checkMediaType(exchange)
}

/** Takes in the bytes as they come. */
export const readBody =
  (exchange: Exchange, bytes: number): Reading<Uint8Array, BodyTooLarge | BodyTimeout> =>
  finish => {
    const chunks: Array<Buffer> = []
    let total = 0
    const { request } = exchange
    const onData = (chunk: Buffer) => {
      total += chunk.length
      chunks.push(chunk)
      if (total > bytes) finish(Effect.fail(tooLarge(bytes)))
    }
    const onEnd = () => finish(Effect.succeed(Buffer.concat(chunks)))
    const onBroken = () =>
      finish(Effect.fail(new BodyTimeout({ detail: "The connection ended within the body." })))
    request.on("data", onData).on("end", onEnd).on("error", onBroken).on("aborted", onBroken)
    return () => {
      request.off("data", onData).off("end", onEnd).off("error", onBroken).off("aborted", onBroken)
      request.pause()
    }
  }

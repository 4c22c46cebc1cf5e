/** Reads a request's body once, as raw bytes, within its bound. */

import type { IncomingMessage } from "node:http"
import { Effect, Either } from "effect"
import { NO_BODY } from "../auth/SignedRequest.ts"
import type { Exchange } from "./Exchange.ts"
import type { Reading } from "./Reading.ts"
import {
  BodyTimeout,
  BodyTooLarge,
  GetBodyUnsupported,
  InvalidInput,
  UnsupportedEncoding,
  UnsupportedMediaType
} from "./refusals.ts"

const MAXIMUM_CONTENT_TYPE = 256
const CHUNKED = "chunked"
const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i
const PARAMETER = /[ \t]*;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[\w!#$%&'*+.^`|~-]+)[ \t]*)?/y
const UTF8 = /^"?utf-?8"?$/i

export interface BodyRule {
  readonly takesBody: boolean
  readonly bytes: number
}

export const declaresBody = ({ request: { headers } }: Exchange): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/** Absent of a body in chunks. */
export const declaredLength = ({ request: { headers } }: Exchange): number | undefined =>
  headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : undefined

const FREE_PIECES = 1_024
const BYTES_OF_ANOTHER = 16

/** Each piece is work for the parser, however little is in it. */
const inTooManyPieces = new UnsupportedEncoding({
  detail: `A body comes in ${FREE_PIECES} chunks at most, and in one more for each ${BYTES_OF_ANOTHER} bytes of it.`,
  context: { header: "Transfer-Encoding", chunks: FREE_PIECES, bytesOfAnother: BYTES_OF_ANOTHER }
})

const tooLarge = (bytes: number) => new BodyTooLarge({ context: { limitBytes: bytes } })

/** Whether the parameters are well-formed and name no other charset than the one that JSON has. */
const isInUtf8 = (parameters: string): boolean => {
  const each = new RegExp(PARAMETER)
  while (each.lastIndex < parameters.length) {
    const found = each.exec(parameters)
    if (found === null) return false
    const [, name = "", value = ""] = found
    if (name.toLowerCase() === "charset" && !UTF8.test(value)) return false
  }
  return true
}

const isJson = (type: string): boolean =>
  JSON_TYPE.test(type) && isInUtf8(type.slice("application/json".length))

const signable = `one line of ${MAXIMUM_CONTENT_TYPE} characters at most`

/** It is signed as it was sent, also where there is no body for it to tell of. */
const contentType = (exchange: Exchange): Either.Either<string, UnsupportedMediaType> => {
  const [type = "", ...others] = exchange.headers.get("content-type") ?? []
  return others.length === 0 && type.length <= MAXIMUM_CONTENT_TYPE
    ? Either.right(type)
    : Either.left(new UnsupportedMediaType({ context: { header: "Content-Type", expected: signable } }))
}

const checkMediaType = (exchange: Exchange) =>
  Either.filterOrLeft(
    contentType(exchange),
    isJson,
    () => new UnsupportedMediaType({ context: { expected: "application/json in UTF-8" } })
  )

/** What can be refused from the headers, before anything is read. */
export const checkDeclaredBody = (exchange: Exchange, rule: BodyRule) => {
  if (exchange.method === "GET" || exchange.method === "HEAD")
    return declaresBody(exchange) ? Either.left(new GetBodyUnsupported()) : contentType(exchange)
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
      : contentType(exchange)
  if ((declaredLength(exchange) ?? 0) > rule.bytes) return Either.left(tooLarge(rule.bytes))
  return checkMediaType(exchange)
}

/** Copied together as they come: a body in a million pieces is no million objects. */
class Gathered {
  readonly #first: number
  readonly #most: number
  #bytes: Uint8Array = NO_BODY
  length = 0
  #pieces = 0

  /** At once as many as were declared, or by and by up to the most that there may be. */
  constructor(declared: number | undefined, most: number) {
    this.#most = declared ?? most
    this.#first = declared ?? 0
  }

  add(chunk: Uint8Array): void {
    const length = this.length + chunk.length
    if (this.length === 0) this.#bytes = chunk
    else this.#room(length).set(chunk, this.length)
    this.length = length
    this.#pieces++
  }

  get isCrumbs(): boolean {
    return this.#pieces > FREE_PIECES + this.length / BYTES_OF_ANOTHER
  }

  #room(length: number): Uint8Array {
    if (length <= this.#bytes.length) return this.#bytes
    const larger = new Uint8Array(Math.min(this.#most, Math.max(this.#first, length, 2 * this.#bytes.length)))
    larger.set(this.#bytes.subarray(0, this.length))
    this.#bytes = larger
    return larger
  }

  whole(): Uint8Array {
    return this.#bytes.subarray(0, this.length)
  }
}

/** Takes in the bytes as they come. */
export const readBody =
  (
    exchange: Exchange,
    bytes: number
  ): Reading<Uint8Array, BodyTooLarge | BodyTimeout | UnsupportedEncoding> =>
  finish => {
    const { request } = exchange
    const isChunked = request.headers["transfer-encoding"] !== undefined
    const gathered = new Gathered(declaredLength(exchange), bytes)
    const take = (chunk: Buffer) => {
      if (gathered.length + chunk.length > bytes) return finish(Effect.fail(tooLarge(bytes)))
      gathered.add(chunk)
      if (isChunked && gathered.isCrumbs) finish(Effect.fail(inTooManyPieces))
    }
    const onEnd = () => finish(Effect.succeed(gathered.whole()))
    const onBroken = () =>
      finish(Effect.fail(new BodyTimeout({ detail: "The connection ended within the body." })))
    const stop = takeByTurns(request, take)
    request.on("end", onEnd).on("error", onBroken).on("aborted", onBroken)
    return {
      stop: () => {
        stop()
        request.off("end", onEnd).off("error", onBroken).off("aborted", onBroken)
        request.pause()
      },
      received: () => gathered.length
    }
  }

/** Taken in of one body within a turn of the loop: more than the pieces after which a body in crumbs is refused. */
export const PIECES_OF_A_TURN = 2_048

/** Gives the pieces as they come, and leaves the rest to the next turn, after what else waits there; meanwhile the request itself stops its socket once it holds enough. Ended by what it returns. */
export const takeByTurns = (request: IncomingMessage, take: (piece: Buffer) => void): (() => void) => {
  let pieces = 0
  let isOver = false
  const goOn = () => {
    pieces = 0
    if (!isOver) request.resume()
  }
  const onData = (piece: Buffer) => {
    pieces++
    take(piece)
    if (isOver || pieces !== PIECES_OF_A_TURN) return
    request.pause()
    setImmediate(goOn)
  }
  request.on("data", onData)
  return () => {
    isOver = true
    request.off("data", onData)
  }
}

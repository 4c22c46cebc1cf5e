/** What the HTTP parser itself refuses never becomes a request; it still gets a problem object. */
import { randomUUID } from "node:crypto"
import type { ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { BARE_HEADERS } from "./Answer.ts"
import { problemAnswer } from "./Problems.ts"
import { InvalidRequestTarget } from "./RequestTarget.ts"
import { BodyTimeout } from "./refusals.ts"

const malformed = new InvalidRequestTarget({
  detail: "The request is not well-formed HTTP/1.1 within 32 KiB of headers."
})

const late = new BodyTimeout({ detail: "The request was not complete within its deadline." })

const REASONS: Readonly<Record<number, string>> = { 400: "Bad Request", 408: "Request Timeout" }

const refuse =
  (audience: string, leave: (socket: Duplex) => void) =>
  (error: NodeJS.ErrnoException | undefined, socket: Duplex): void => {
    if (!socket.writable) return void socket.destroy()
    const refusal = error?.code === "ERR_HTTP_REQUEST_TIMEOUT" ? late : malformed
    const requestId = randomUUID()
    const { status, headers, body } = problemAnswer(refusal, { audience, requestId })
    const lines = Object.entries({
      ...BARE_HEADERS,
      ...headers,
      "x-request-id": requestId,
      date: new Date().toUTCString(),
      "content-length": Buffer.byteLength(body),
      connection: "close"
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${REASONS[status] ?? ""}\r\n${lines.join("")}\r\n${body}`)
    leave(socket)
  }

/** Where the malformed bytes are the body of the request whose turn it is, the refusal is its answer. */
const isOwnBody = (response: ServerResponse): boolean => !response.req.complete && response.socket !== null

/** Remembers the last answer that each connection awaits, so that a refusal never stands in the place of an earlier request's answer. */
export const unparsedRefusals = (audience: string, leave: (socket: Duplex) => void) => {
  const answer = refuse(audience, leave)
  const awaited = new WeakMap<Duplex, ServerResponse>()
  const refused = new WeakSet<Duplex>()
  return {
    await: (socket: Duplex, response: ServerResponse): void => {
      awaited.set(socket, response)
    },
    refuse: (error: NodeJS.ErrnoException | undefined, socket: Duplex): void => {
      if (refused.has(socket)) return
      refused.add(socket)
      const last = awaited.get(socket)
      if (last === undefined || last.writableFinished || isOwnBody(last)) answer(error, socket)
      else last.once("finish", () => answer(error, socket))
    }
  }
}

/** What the HTTP parser itself refuses never becomes a request; it still gets a problem object. */
import { randomUUID } from "node:crypto"
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

export const refuseUnparsed =
  (audience: string) =>
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
  }

/** Puts an answer on the wire, whole or as a lie has it. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { setTimeout } from "node:timers/promises"
import type { Lie } from "./Faults.ts"

export interface Reply {
  readonly status: number
  readonly body: unknown
}

export interface Wire {
  readonly lies: ReadonlyArray<Lie>
  readonly millis: number
}

const LARGE = 10 * 1024 * 1024
const DRIP_MILLIS = 100

const write = (response: ServerResponse, status: number, type: string, text: string): void => {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) })
  response.end(text)
}

const drip = async (response: ServerResponse, text: string): Promise<void> => {
  response.writeHead(200, { "content-type": "application/json" })
  for (const character of text) {
    if (response.destroyed) return
    response.write(character)
    await setTimeout(DRIP_MILLIS, undefined, { ref: false })
  }
  response.end()
}

const truncate = (response: ServerResponse, text: string): void => {
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
  response.write(text.slice(0, text.length / 2), () => response.destroy())
}

type Tell = (response: ServerResponse, reply: Reply, incoming: IncomingMessage) => void | Promise<void>

const TELLS: Partial<Readonly<Record<Lie, Tell>>> = {
  "wire-html": response => write(response, 200, "text/html", "<!doctype html><title>Busy</title>"),
  "wire-truncated": (response, { body }) => truncate(response, JSON.stringify(body)),
  "wire-large": (response, { status, body }) =>
    write(response, status, "application/json", JSON.stringify({ ...Object(body), more: "x".repeat(LARGE) })),
  "wire-drip": (response, { body }) => drip(response, JSON.stringify(body)),
  "wire-redirect": (response, _, { url }) => {
    response.writeHead(307, { location: `${url}?again` }).end()
  },
  "wire-429": response => {
    response.writeHead(429, { "retry-after": "1" }).end()
  },
  "wire-500": response => write(response, 500, "application/json", '{"message":"internal error"}'),
  "wire-reset": response => {
    response.socket?.resetAndDestroy()
  }
}

/** These refuse; the others lie about what was done. */
export const refuses = ({ lies }: Wire): boolean =>
  lies.includes("wire-429") || lies.includes("wire-redirect")

export const put = async (
  incoming: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  { lies, millis }: Wire
): Promise<void> => {
  if (lies.includes("wire-late")) await setTimeout(millis, undefined, { ref: false })
  const tell = lies.map(lie => TELLS[lie]).find(known => known !== undefined)
  if (tell !== undefined) return tell(response, reply, incoming)
  write(response, reply.status, "application/json", JSON.stringify(reply.body))
}

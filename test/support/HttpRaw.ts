/** Bytes in, bytes out: what fetch would refuse to send or would tidy up on the way. */
import { connect, type Socket } from "node:net"

export interface RawAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

const parseHead = (head: string) => {
  const [line = "", ...fields] = head.split("\r\n")
  const headers = new Map(
    fields.map(field => {
      const colon = field.indexOf(":")
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()] as const
    })
  )
  return { status: Number(line.split(" ")[1]), headers }
}

const hasBody = (status: number, headOnly: boolean) => !headOnly && status !== 204 && status !== 304

/** Every complete answer in what a connection received, by Content-Length. */
export const parseAnswers = (bytes: Buffer, headOnly = false): ReadonlyArray<RawAnswer> => {
  const answers: Array<RawAnswer> = []
  let rest = bytes
  for (;;) {
    const end = rest.indexOf("\r\n\r\n")
    if (end < 0) return answers
    const { status, headers } = parseHead(rest.subarray(0, end).toString("latin1"))
    const start = end + 4
    const length = hasBody(status, headOnly) ? Number(headers.get("content-length") ?? 0) : 0
    if (rest.length < start + length) return answers
    if (status !== 100)
      answers.push({ status, headers, body: rest.subarray(start, start + length).toString() })
    rest = rest.subarray(start + length)
  }
}

export interface RawConnection {
  readonly socket: Socket
  readonly write: (bytes: string | Uint8Array) => void
  /** As soon as that many answers are in, or the other side ended. */
  readonly answers: (count: number, headOnly?: boolean) => Promise<ReadonlyArray<RawAnswer>>
  readonly ended: Promise<void>
}

const portOf = (url: string): number => Number(new URL(url).port)

export const openRaw = (url: string): RawConnection => {
  const socket = connect(portOf(url), "127.0.0.1")
  let received = Buffer.alloc(0)
  let over = false
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of [...listeners]) listener()
  }
  const ended = new Promise<void>(resolve => socket.once("close", () => resolve()))
  socket.on("data", chunk => {
    received = Buffer.concat([received, chunk])
    tell()
  })
  socket.on("error", () => {})
  socket.on("close", () => {
    over = true
    tell()
  })
  const answers = (count: number, headOnly = false) =>
    new Promise<ReadonlyArray<RawAnswer>>(resolve => {
      const look = () => {
        const found = parseAnswers(received, headOnly)
        if (found.length < count && !over) return
        listeners.delete(look)
        resolve(found)
      }
      listeners.add(look)
      look()
    })
  return { socket, write: bytes => socket.write(bytes), answers, ended }
}

/** Sends these bytes on a connection of their own and gives the first answer, or nothing where the other side just closed. */
export const sendRaw = async (
  url: string,
  bytes: string | Uint8Array,
  headOnly = false
): Promise<RawAnswer | undefined> => {
  const connection = openRaw(url)
  connection.write(bytes)
  const [answer] = await connection.answers(1, headOnly)
  connection.socket.destroy()
  return answer
}

export const rawRequest = (
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  body = ""
): string =>
  [
    `${method} ${target} HTTP/1.1`,
    "Host: service.test",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    body
  ].join("\r\n")

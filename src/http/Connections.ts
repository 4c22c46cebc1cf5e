/** What a listener keeps of its connections and of the requests on them, each with its bound, so that nobody holds one for ever. */

import { randomUUID } from "node:crypto"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { Effect, Fiber } from "effect"
import { ServiceBusy } from "../accounts/refusals.ts"
import { BARE_HEADERS } from "./Answer.ts"
import { isDirect, type Proxies } from "./ClientAddress.ts"
import type { Exchange } from "./Exchange.ts"
import { problemAnswer } from "./Problems.ts"
import { InvalidRequestTarget } from "./RequestTarget.ts"
import { BodyTimeout } from "./refusals.ts"

/** An error ends its connection alone, and `close` follows it. */
const heard = () => {}

/** From accept to close: Node takes its own listeners off a socket, and forgets it, where CONNECT was parsed; none outlives the listener. */
export class Connections {
  /** Those that have asked nothing for longest first. */
  readonly #open = new Set<Socket>()

  /** So many at once: for who comes, the one leaves that has asked nothing for longest, and of those that await an answer only where all do. */
  constructor(server: Server, most: number, isAwaited: (socket: Socket) => boolean) {
    server.on("connection", (socket: Socket) => {
      if (this.#open.size >= most) this.#endOne(isAwaited)
      this.#open.add(socket)
      socket.on("error", heard).once("close", () => this.#open.delete(socket))
    })
    server.on("request", ({ socket }: IncomingMessage) => {
      if (this.#open.delete(socket)) this.#open.add(socket)
    })
  }

  #endOne(isAwaited: (socket: Socket) => boolean): void {
    let leaving: Socket | undefined
    for (const socket of this.#open) {
      leaving ??= socket
      if (isAwaited(socket)) continue
      leaving = socket
      break
    }
    if (leaving === undefined) return
    this.#open.delete(leaving)
    leaving.destroy()
  }

  end(): void {
    for (const socket of this.#open) socket.destroy()
  }
}

/** Whether an address has spent its budget; through a proxy others would wait along. */
export const isToWait = (exchange: Exchange, proxies: Proxies): boolean =>
  exchange.code === "RATE_LIMITED" && exchange.quota === undefined && isDirect(exchange, proxies)

/** Refusals that their clients wait for, told together once a second: who goes on asking then costs little, and the time is left to others. */
export class Held {
  readonly #tellings = new Map<Exchange, () => void>()

  /** Until it is told, nothing more is read from its connection. */
  add(exchange: Exchange, tell: () => void): void {
    exchange.request.socket.pause()
    this.#tellings.set(exchange, tell)
  }

  tellAll(): void {
    const tellings = [...this.#tellings]
    this.#tellings.clear()
    for (const [exchange, tell] of tellings) {
      tell()
      exchange.request.socket.resume()
    }
  }
}

const MOST_WAITING = 128

export const tooManyWaiting = () =>
  new ServiceBusy({
    detail: `At most ${MOST_WAITING} requests of one connection may wait for their answers.`,
    retryAfterSeconds: 1,
    context: { limit: MOST_WAITING }
  })

const UPGRADE = /\bupgrade\b/i

/** Whether nobody can say where the next request begins: Node drops what it read along with one that asks for another protocol, and HTTP/1.0 knows no chunks (RFC 9112, 6.1). */
export const isFollowedByNothing = ({ headers, httpVersion }: IncomingMessage): boolean =>
  (headers.upgrade !== undefined && UPGRADE.test(headers.connection ?? "")) ||
  (httpVersion === "1.0" && headers["transfer-encoding"] !== undefined)

/** How many requests of one connection wait for their answers: thousands fit one read of a socket, and all would be worked on within one turn. */
export class Pipelined {
  readonly #waiting = new WeakMap<Duplex, number>()

  /** Nothing more is heard there, for good. */
  isOver(socket: Duplex): boolean {
    return (this.#waiting.get(socket) ?? 0) > MOST_WAITING
  }

  /** What still comes is no request of this connection. */
  end(socket: Duplex): void {
    this.#waiting.set(socket, Number.POSITIVE_INFINITY)
  }

  /** Whether the client still waits for an answer there. */
  readonly isAwaited = (socket: Duplex): boolean =>
    (this.#waiting.get(socket) ?? 0) > 0 && !this.isOver(socket)

  /** Whether no other request of this connection waits for its answer. */
  isLast(socket: Duplex): boolean {
    return (this.#waiting.get(socket) ?? 0) <= 1
  }

  /** Whether there is room for this one too. */
  takes(socket: Duplex, response: ServerResponse): boolean {
    this.#waiting.set(socket, (this.#waiting.get(socket) ?? 0) + 1)
    response.once("close", () => {
      if (!this.isOver(socket)) this.#waiting.set(socket, (this.#waiting.get(socket) ?? 1) - 1)
    })
    return !this.isOver(socket)
  }
}

const READING_DEADLINE_MS = 120_000
const LEAVING_DEADLINE_MS = 10_000

/** What clients have not taken yet, who may neither read nor leave. */
export class Unread {
  readonly #since = new Map<ServerResponse, number>()
  readonly #left = new Map<Duplex, number>()

  get count(): number {
    return this.#since.size
  }

  /** What fits the kernel's buffers has left already and is not noted. */
  add(response: ServerResponse, now: number): void {
    const { socket } = response
    if (response.writableFinished || response.destroyed || socket?.writableLength === 0) return
    this.#since.set(response, now)
    response.once("close", () => this.#since.delete(response))
  }

  /** Whether its last word was said, so that nothing more is heard as a request there. */
  isLeft(socket: Duplex): boolean {
    return this.#left.has(socket)
  }

  /** Reads on after the last word for a while, so that it gets through and the client's own end is heard. */
  leave(socket: Duplex, now: number): void {
    this.#left.set(socket, now)
    socket
      .on("error", () => {})
      .once("close", () => this.#left.delete(socket))
      .resume()
  }

  endOverdue(now: number): void {
    for (const [socket, since] of this.#left) if (now - since > LEAVING_DEADLINE_MS) socket.destroy()
    for (const [response, since] of this.#since) {
      if (now - since <= READING_DEADLINE_MS) continue
      this.#since.delete(response)
      response.req.socket.destroy()
    }
  }
}

const malformed = new InvalidRequestTarget({
  detail: "The request is not well-formed HTTP/1.1 within 32 KiB of headers."
})

const late = new BodyTimeout({ detail: "The request was not complete within its deadline." })

const REASONS: Readonly<Record<number, string>> = { 400: "Bad Request", 408: "Request Timeout" }

/** What the HTTP parser itself refuses never becomes a request; it still gets a problem object. */
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

/** It says that nothing follows it: what comes behind its request is read and answered by nobody. */
const isFinal = (response: ServerResponse): boolean => !response.shouldKeepAlive

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
      if (last !== undefined && isFinal(last) && !isOwnBody(last)) return
      if (last === undefined || last.writableFinished || isOwnBody(last)) answer(error, socket)
      else last.once("finish", () => answer(error, socket))
    }
  }
}

export const ANSWER_DEADLINE_MS = 60_000

/** The requests being answered, so that those past the deadline are answered without a timer for each. */
export class InFlight {
  readonly #fibers = new Map<Exchange, Fiber.RuntimeFiber<unknown, unknown>>()

  add(exchange: Exchange, fiber: Fiber.RuntimeFiber<unknown, unknown>): void {
    if (!exchange.settled) this.#fibers.set(exchange, fiber)
  }

  remove(exchange: Exchange): void {
    this.#fibers.delete(exchange)
  }

  /** Gives up the work of every request that is past its deadline, after `tell` has answered it. */
  endOverdue(now: number, tell: (exchange: Exchange) => void): Effect.Effect<void> {
    const overdue = [...this.#fibers].filter(
      ([{ startedMillis }]) => now - startedMillis > ANSWER_DEADLINE_MS
    )
    return Effect.forEach(
      overdue,
      ([exchange, fiber]) =>
        Effect.zipRight(
          Effect.sync(() => tell(exchange)),
          Fiber.interruptFork(fiber)
        ),
      { discard: true }
    )
  }
}

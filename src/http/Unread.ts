/** What clients have not taken yet, so that nobody holds a connection for ever by not reading or not leaving. */
import type { ServerResponse } from "node:http"
import type { Duplex } from "node:stream"

const READING_DEADLINE_MS = 120_000
const LEAVING_DEADLINE_MS = 10_000

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

/** The answers that their clients have not taken yet, so that nobody holds a connection for ever by not reading. */
import type { ServerResponse } from "node:http"

const READING_DEADLINE_MS = 120_000

export class Unread {
  readonly #since = new Map<ServerResponse, number>()

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

  endOverdue(now: number): void {
    for (const [response, since] of this.#since) {
      if (now - since <= READING_DEADLINE_MS) continue
      this.#since.delete(response)
      response.req.socket.destroy()
    }
  }
}

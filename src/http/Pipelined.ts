/** How many requests of one connection wait for their answers: thousands fit one read of a socket, and all would be worked on within one turn. */
import type { ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { ServiceBusy } from "../accounts/refusals.ts"

const MOST_WAITING = 128

export const tooManyWaiting = () =>
  new ServiceBusy({
    detail: `At most ${MOST_WAITING} requests of one connection may wait for their answers.`,
    retryAfterSeconds: 1,
    context: { limit: MOST_WAITING }
  })

export class Pipelined {
  readonly #waiting = new WeakMap<Duplex, number>()

  /** Nothing more is heard there, for good. */
  isOver(socket: Duplex): boolean {
    return (this.#waiting.get(socket) ?? 0) > MOST_WAITING
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

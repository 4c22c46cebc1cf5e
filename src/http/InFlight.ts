/** The requests being answered, so that those past the deadline are answered without a timer for each. */
import { Effect, Fiber } from "effect"
import type { Exchange } from "./Exchange.ts"

export const ANSWER_DEADLINE_MS = 60_000

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

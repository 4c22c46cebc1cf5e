/** A span around work on the hot path, which costs next to nothing where the request is not traced. */
import { Effect, FiberRef } from "effect"

export const stage =
  (name: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime(fiber =>
      fiber.getFiberRef(FiberRef.currentTracerEnabled) ? Effect.withSpan(work, name) : work
    )

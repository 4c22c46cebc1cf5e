/** A span around work on the hot path, which costs next to nothing where the request is not traced. */
import { Effect, FiberRef } from "effect"

export const stage =
  (name: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(FiberRef.get(FiberRef.currentTracerEnabled), isTraced =>
      isTraced ? Effect.withSpan(work, name) : work
    )

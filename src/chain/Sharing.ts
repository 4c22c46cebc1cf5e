/** Lets those who ask for the same share one answer that is never older than their question: while one is awaited, the next gathers. */
import { Effect, type Fiber, FiberId, FiberSet, type Scope } from "effect"

interface Flight<A, E> {
  /** Those who asked before it left. */
  readonly sharers: Set<(answer: Effect.Effect<A, E>) => void>
  fiber?: Fiber.RuntimeFiber<void>
}

/** Nobody's interruption reaches the others; a flight that nobody waits for any more is given up. Who is first aboard pays its fare. */
export const sharing = <A, E, F = never>(
  ask: Effect.Effect<A, E>,
  fare: Effect.Effect<void, F> = Effect.void
): Effect.Effect<Effect.Effect<A, E | F>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const fork = yield* FiberSet.runtime(yield* FiberSet.make())<never>()
    const grounded = (): Flight<A, E> => ({ sharers: new Set() })
    let next = grounded()
    let current: Flight<A, E> | undefined

    /** Gives way once, so that those who ask at the same moment come along. */
    const depart = (): void => {
      const flight = next
      current = flight.sharers.size === 0 ? undefined : flight
      if (current === undefined) return
      const takeOff = Effect.sync(() => {
        next = grounded()
      })
      const flown = Effect.yieldNow().pipe(Effect.zipRight(takeOff), Effect.zipRight(ask))
      const landed = Effect.onExit(flown, exit =>
        Effect.sync(() => {
          for (const resume of flight.sharers) resume(exit)
          depart()
        })
      )
      flight.fiber = fork(Effect.ignore(landed))
    }

    const leave = (flight: Flight<A, E>): void => {
      const isAbandoned = flight === current && flight !== next && flight.sharers.size === 0
      if (isAbandoned) flight.fiber?.unsafeInterruptAsFork(FiberId.none)
    }

    const board = Effect.async<A, E>(resume => {
      const flight = next
      flight.sharers.add(resume)
      if (current === undefined) depart()
      return Effect.sync(() => {
        flight.sharers.delete(resume)
        leave(flight)
      })
    })
    return Effect.suspend(() => (next.sharers.size === 0 ? Effect.zipRight(fare, board) : board))
  })

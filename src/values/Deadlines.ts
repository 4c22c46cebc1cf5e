/** Ends what takes longer than it may; one sleeping fiber watches over all that is under way. */
import { Duration, Effect, FiberSet, type Scope } from "effect"
import { steadyMillis } from "./SteadyClock.ts"

interface Watched {
  readonly until: number
  readonly expire: () => void
}

export interface Deadlines {
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number
  /** Calls `expire` at that time unless the returned function was called before. */
  readonly watch: (until: number, expire: () => void) => () => void
}

export const makeDeadlines: Effect.Effect<Deadlines, never, Scope.Scope> = Effect.gen(function* () {
  const clock = yield* Effect.clock
  const fork = yield* FiberSet.runtime(yield* FiberSet.make())<never>()
  const watched = new Set<Watched>()
  let wakesAt = Number.POSITIVE_INFINITY

  const now = () => steadyMillis(clock)

  const sweep = () => {
    const passed = now()
    let next = Number.POSITIVE_INFINITY
    for (const entry of watched) {
      if (entry.until > passed) next = Math.min(next, entry.until)
      else if (watched.delete(entry)) entry.expire()
    }
    wakeAt(next)
  }

  const wakeAt = (time: number) => {
    if (time >= wakesAt) return
    wakesAt = time
    const woken = Effect.sync(() => {
      if (wakesAt !== time) return
      wakesAt = Number.POSITIVE_INFINITY
      sweep()
    })
    fork(Effect.zipRight(clock.sleep(Duration.millis(time - now())), woken))
  }

  return {
    now,
    watch: (until, expire) => {
      const entry = { until, expire }
      watched.add(entry)
      wakeAt(until)
      return () => watched.delete(entry)
    }
  }
})

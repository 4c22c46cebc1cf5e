/** What operators see of the workers: their rounds, and how long ago the last one ended well. */
import { Effect, Metric, type Scope } from "effect"
import { steadyMillis } from "../values/SteadyClock.ts"
import { atScrape } from "./AtScrape.ts"

const rounds = Metric.counter("service_worker_rounds_total", {
  description: "Rounds of the workers, by what came of them.",
  incremental: true
})
const idle = Metric.gauge("service_worker_idle_seconds", {
  description: "Seconds since a round of the worker last ended well, or since the worker began."
})

export type CountingRounds = <A, E, R>(round: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Counts each run of the round that the function is given. */
export const countingRounds = (worker: string): Effect.Effect<CountingRounds, never, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    const since = Metric.tagged(idle, "worker", worker)
    const count = Metric.tagged(rounds, "worker", worker)
    let endedAt = steadyMillis(clock)
    yield* atScrape(() => since.unsafeUpdate((steadyMillis(clock) - endedAt) / 1_000, []))
    const ended = Effect.suspend(() => {
      endedAt = steadyMillis(clock)
      return Metric.increment(Metric.tagged(count, "outcome", "done"))
    })
    const failed = Metric.increment(Metric.tagged(count, "outcome", "failed"))
    return <A, E, R>(round: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      round.pipe(
        Effect.tap(() => ended),
        Effect.tapErrorCause(() => failed)
      )
  })

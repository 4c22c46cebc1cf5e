/** What operators see of the chain's nodes: time and failures by chain and method, and the age of each head. */
import { Clock, Effect, Metric, MetricBoundaries } from "effect"

const seconds = Metric.histogram(
  "service_rpc_seconds",
  MetricBoundaries.fromIterable([0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]),
  "Seconds until a node answered a round trip that carried the method."
)
const failures = Metric.counter("service_rpc_failures_total", {
  description: "Round trips carrying the method that failed.",
  incremental: true
})
const headAge = Metric.gauge("service_rpc_head_age_seconds", {
  description: "Age of the newest block that a node showed."
})

const labelled =
  (chainId: number) =>
  <Type, In, Out>(metric: Metric.Metric<Type, In, Out>) =>
    Metric.tagged(metric, "chain", String(chainId))

export const measured =
  (chainId: number, methods: ReadonlyArray<string>) =>
  <A, E>(roundTrip: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.gen(function* () {
      const started = yield* Clock.currentTimeNanos
      const record = (failed: boolean) =>
        Effect.flatMap(Clock.currentTimeNanos, ended =>
          Effect.forEach(
            methods,
            method => {
              const elapsed = Metric.tagged(labelled(chainId)(seconds), "method", method)
              const failed_ = Metric.tagged(labelled(chainId)(failures), "method", method)
              const duration = Metric.update(elapsed, Number(ended - started) / 1e9)
              return failed ? Effect.zipRight(duration, Metric.increment(failed_)) : duration
            },
            { discard: true }
          )
        )
      return yield* Effect.tapBoth(roundTrip, {
        onFailure: () => record(true),
        onSuccess: () => record(false)
      })
    })

export const observeHeadAge = (chainId: number, age: number) => Metric.set(labelled(chainId)(headAge), age)

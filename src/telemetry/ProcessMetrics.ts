/** What the process itself is doing, read when somebody looks. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import { Effect, Metric } from "effect"

const lag = Metric.gauge("service_event_loop_lag_seconds", {
  description: "Delay of the event loop since the last look, by quantile."
})
const memory = Metric.gauge("service_memory_bytes", { description: "Memory of the process, by kind." })
const inWork = Metric.gauge("service_in_work", {
  description: "Signed requests that the process works on."
})

const LOOP_RESOLUTION_MS = 20

/** Gives the effect that brings the gauges up to date. */
export const observeProcess = (countInWork: Effect.Effect<number>) =>
  Effect.gen(function* () {
    const loop = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const histogram = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })
        histogram.enable()
        return histogram
      }),
      histogram => Effect.sync(() => histogram.disable())
    )
    const lagAt = (quantile: string, nanoseconds: number) =>
      Metric.set(
        Metric.tagged(lag, "quantile", quantile),
        Math.max(0, nanoseconds / 1e9 - LOOP_RESOLUTION_MS / 1e3)
      )
    return Effect.gen(function* () {
      yield* lagAt("0.5", loop.percentile(50))
      yield* lagAt("0.99", loop.percentile(99))
      yield* lagAt("1", loop.max)
      loop.reset()
      const { rss, heapUsed } = process.memoryUsage()
      yield* Metric.set(Metric.tagged(memory, "kind", "resident"), rss)
      yield* Metric.set(Metric.tagged(memory, "kind", "heap"), heapUsed)
      yield* Metric.set(inWork, yield* countInWork)
    })
  })

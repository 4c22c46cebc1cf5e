/** What operators see of the provider: the time that its answers take. */
import { Duration, Effect, Either, Metric, MetricBoundaries } from "effect"
import type { ExchangeFault, HttpAnswer } from "../upstream/JsonExchange.ts"

const seconds = Metric.histogram(
  "service_provider_seconds",
  MetricBoundaries.fromIterable([0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 45]),
  "Seconds until the provider answered or was given up, by call and outcome."
)

export const timed = (call: "publish" | "bundle", exchange: Effect.Effect<HttpAnswer, ExchangeFault>) =>
  Effect.flatMap(Effect.timed(Effect.either(exchange)), ([duration, answer]) => {
    const outcome = Either.match(answer, { onLeft: fault => fault, onRight: () => "answered" })
    const measured = seconds.pipe(Metric.tagged("call", call), Metric.tagged("outcome", outcome))
    return Effect.zipRight(Metric.update(measured, Duration.toSeconds(duration)), answer)
  })

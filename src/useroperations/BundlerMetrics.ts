/** What operators see of bundlers: the time that their answers take. */
import { Duration, Effect, Either, Metric, MetricBoundaries } from "effect"
import type { ExchangeAnswer, RpcFault } from "./RpcExchange.ts"

const seconds = Metric.histogram(
  "service_bundler_seconds",
  MetricBoundaries.fromIterable([0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]),
  "Seconds until a bundler answered or was given up, by call and outcome."
)

const outcomeOf = (answer: Either.Either<ExchangeAnswer, RpcFault>): string =>
  Either.match(answer, {
    onLeft: fault => fault,
    onRight: ({ _tag }) => (_tag === "Refused" ? "refused" : "answered")
  })

export const timedRpc = (call: string, exchange: Effect.Effect<ExchangeAnswer, RpcFault>) =>
  Effect.flatMap(Effect.timed(Effect.either(exchange)), ([duration, answer]) => {
    const measured = seconds.pipe(Metric.tagged("call", call), Metric.tagged("outcome", outcomeOf(answer)))
    return Effect.zipRight(Metric.update(measured, Duration.toSeconds(duration)), answer)
  })

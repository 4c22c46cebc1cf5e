/** What operators see of bundlers: the time that their answers take, and a span for each. */
import { Duration, Effect, Either, Metric, MetricBoundaries } from "effect"
import type { ExchangeAnswer, RpcExchange, RpcFault } from "./RpcExchange.ts"

const seconds = Metric.histogram(
  "service_bundler_seconds",
  MetricBoundaries.fromIterable([0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]),
  "Seconds until a bundler or a paymaster answered or was given up, by chain, endpoint, call and outcome."
)

const outcomeOf = (answer: Either.Either<ExchangeAnswer, RpcFault>): string =>
  Either.match(answer, {
    onLeft: fault => fault,
    onRight: ({ _tag }) => (_tag === "Refused" ? "refused" : "answered")
  })

/** Of a bundler or paymaster that is named by its place in the settings, never by its URL. */
export const timedExchange =
  (chainId: number, endpoint: string, exchange: RpcExchange): RpcExchange =>
  (question, deadlineMillis) => {
    const attributes = { chain: chainId, endpoint, rpcSystem: "jsonrpc", method: question.method }
    const asked = Effect.withSpan(exchange(question, deadlineMillis), "Bundler.call", {
      kind: "client",
      captureStackTrace: false,
      attributes
    })
    return Effect.flatMap(Effect.timed(Effect.either(asked)), ([duration, answer]) => {
      const measured = seconds.pipe(
        Metric.tagged("chain", String(chainId)),
        Metric.tagged("endpoint", endpoint),
        Metric.tagged("call", question.method),
        Metric.tagged("outcome", outcomeOf(answer))
      )
      return Effect.zipRight(Metric.update(measured, Duration.toSeconds(duration)), answer)
    })
  }

/** What operators see of each node: its calls, whether it serves, and, as it is when they ask, its head and its silence. */
import { type Clock, Effect, Metric, MetricBoundaries, MetricKey, MetricLabel, type Scope } from "effect"
import { atScrape } from "../telemetry/AtScrape.ts"
import { steadyMillis } from "../values/SteadyClock.ts"
import { OversizedAnswer } from "./HttpExchange.ts"
import type { RpcFailure } from "./refusals.ts"

const seconds = MetricKey.histogram(
  "service_rpc_seconds",
  MetricBoundaries.fromIterable([0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]),
  "Seconds until a node answered a round trip that carried the method."
)
const calls = MetricKey.counter("service_rpc_calls_total", {
  description: "Round trips that carried the method, by what came of them.",
  incremental: true
})
const serving = MetricKey.gauge("service_rpc_endpoint_serving", {
  description: "1 while the endpoint is in rotation, 0 after it failed, fell behind or showed another chain."
})
const headAge = MetricKey.gauge("service_rpc_head_age_seconds", {
  description: "Age now of the newest block that the endpoint showed; it grows while the endpoint is silent."
})
const headBlock = MetricKey.gauge("service_rpc_head_block", {
  description: "Number of the newest block that the endpoint showed."
})
const silence = MetricKey.gauge("service_rpc_silence_seconds", {
  description:
    "Seconds since the endpoint last answered; who asks for metrics has one asked that was not for five seconds."
})

/** What was seen of an endpoint, and when. */
export interface SeenEndpoint {
  readonly answeredAt: number
  readonly head: { readonly number: bigint; readonly timestamp: bigint } | null
}

export interface RpcMetrics {
  /** Counts a round trip once for each method that it carried. */
  readonly noteTrip: (
    methods: ReadonlyArray<string>,
    tookSeconds: number,
    failure: RpcFailure | undefined
  ) => void
  readonly noteServing: (serves: boolean) => void
}

const outcomeOf = (failure: RpcFailure | undefined): string => {
  if (failure === undefined) return "answered"
  return failure instanceof OversizedAnswer ? "oversized" : failure._tag.replace(/^RPC_/, "").toLowerCase()
}

const makeTrips = (labels: ReadonlyArray<MetricLabel.MetricLabel>): RpcMetrics["noteTrip"] => {
  const timers = new Map<string, Metric.Metric.Histogram<number>>()
  const counters = new Map<string, Metric.Metric.Counter<number>>()
  const timer = (method: string) => {
    const known = timers.get(method)
    if (known !== undefined) return known
    const all = [...labels, MetricLabel.make("method", method)]
    const made = Metric.fromMetricKey(MetricKey.taggedWithLabels(seconds, all))
    timers.set(method, made)
    return made
  }
  const counter = (method: string, outcome: string) => {
    const key = `${method} ${outcome}`
    const known = counters.get(key)
    if (known !== undefined) return known
    const all = [...labels, MetricLabel.make("method", method), MetricLabel.make("outcome", outcome)]
    const made = Metric.fromMetricKey(MetricKey.taggedWithLabels(calls, all))
    counters.set(key, made)
    return made
  }
  return (methods, tookSeconds, failure) => {
    const outcome = outcomeOf(failure)
    for (const method of new Set(methods)) {
      timer(method).unsafeUpdate(tookSeconds, [])
      counter(method, outcome).unsafeUpdate(1, [])
    }
  }
}

/** An endpoint is named by its place in the settings, never by its URL. */
export const makeRpcMetrics = (
  chainId: number,
  endpoint: string,
  seen: () => SeenEndpoint,
  clock: Clock.Clock
): Effect.Effect<RpcMetrics, never, Scope.Scope> => {
  const labels = [MetricLabel.make("chain", String(chainId)), MetricLabel.make("endpoint", endpoint)]
  const gauge = (key: typeof serving) => Metric.fromMetricKey(MetricKey.taggedWithLabels(key, labels))
  const [serves, age, block, silent] = [gauge(serving), gauge(headAge), gauge(headBlock), gauge(silence)]
  const show = () => {
    const { answeredAt, head } = seen()
    silent.unsafeUpdate((steadyMillis(clock) - answeredAt) / 1_000, [])
    if (head === null) return
    age.unsafeUpdate(Math.max(0, clock.unsafeCurrentTimeMillis() / 1_000 - Number(head.timestamp)), [])
    block.unsafeUpdate(Number(head.number), [])
  }
  return Effect.as(atScrape(show), {
    noteTrip: makeTrips(labels),
    noteServing: is => serves.unsafeUpdate(is ? 1 : 0, [])
  })
}

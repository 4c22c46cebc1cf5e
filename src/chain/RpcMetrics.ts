/** What operators see of each node: time and failures by method, whether it serves, and the age of its head. */
import { Metric, MetricBoundaries, MetricKey, MetricLabel } from "effect"

const seconds = MetricKey.histogram(
  "service_rpc_seconds",
  MetricBoundaries.fromIterable([0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]),
  "Seconds until a node answered a round trip that carried the method."
)
const failures = MetricKey.counter("service_rpc_failures_total", {
  description: "Round trips carrying the method that failed.",
  incremental: true
})
const serving = MetricKey.gauge("service_rpc_endpoint_serving", {
  description: "1 while the endpoint is in rotation, 0 after it failed, fell behind or showed another chain."
})
const headAge = MetricKey.gauge("service_rpc_head_age_seconds", {
  description: "Age of the newest block that a node showed, when it showed it."
})

export interface RpcMetrics {
  /** Counts a round trip once for each method that it carried. */
  readonly noteTrip: (methods: ReadonlyArray<string>, tookSeconds: number, failed: boolean) => void
  readonly noteServing: (serves: boolean) => void
  readonly noteHeadAge: (age: number) => void
}

/** An endpoint is named by its place in the settings, never by its URL. */
export const makeRpcMetrics = (chainId: number, endpoint: string): RpcMetrics => {
  const labels = [MetricLabel.make("chain", String(chainId)), MetricLabel.make("endpoint", endpoint)]
  const known = new Map<string, (elapsed: number, failed: boolean) => void>()
  const recorder = (method: string) => {
    const found = known.get(method)
    if (found !== undefined) return found
    const all = [...labels, MetricLabel.make("method", method)]
    const elapsed = Metric.fromMetricKey(MetricKey.taggedWithLabels(seconds, all))
    const failed = Metric.fromMetricKey(MetricKey.taggedWithLabels(failures, all))
    const record = (took: number, isFailure: boolean) => {
      elapsed.unsafeUpdate(took, [])
      if (isFailure) failed.unsafeUpdate(1, [])
    }
    known.set(method, record)
    return record
  }
  const serves = Metric.fromMetricKey(MetricKey.taggedWithLabels(serving, labels))
  const age = Metric.fromMetricKey(MetricKey.taggedWithLabels(headAge, labels))
  return {
    noteTrip: (methods, tookSeconds, failed) => {
      for (const method of new Set(methods)) recorder(method)(tookSeconds, failed)
    },
    noteServing: is => serves.unsafeUpdate(is ? 1 : 0, []),
    noteHeadAge: value => age.unsafeUpdate(value, [])
  }
}

/** Counts and times the requests by route and outcome. */
import { Metric, MetricBoundaries, MetricLabel } from "effect"

const requests = Metric.counter("service_requests_total", {
  description: "Requests by route, status and problem code.",
  incremental: true
})
const seconds = Metric.histogram(
  "service_request_seconds",
  MetricBoundaries.fromIterable([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60]),
  "Seconds from a request's first byte here to its answer."
)
const authFailures = Metric.counter("service_auth_failures_total", {
  description: "Requests whose authentication failed, by problem code.",
  incremental: true
})

const AUTH_FAILURES = new Set([
  "AUTH_REQUIRED",
  "INVALID_AUTH",
  "AUTH_EXPIRED",
  "INVALID_SIGNATURE",
  "VERIFIER_UNAVAILABLE",
  "FORBIDDEN",
  "ACCOUNT_NOT_FOUND",
  "NONCE_REUSED"
])

interface Measured {
  readonly route: string | undefined
  readonly code: string | undefined
  readonly startedMillis: number
}

type Tags = Readonly<Record<string, string>>

/** A metric with its labels is looked up once per combination; both sets are small and fixed. */
const remembering = <Type, Out>(metric: Metric.Metric<Type, number, Out>) => {
  const known = new Map<string, Metric.Metric<Type, number, Out>>()
  return (value: number, key: string, tags: () => Tags) => {
    const found = known.get(key)
    if (found !== undefined) return found.unsafeUpdate(value, [])
    const labels = Object.entries(tags()).map(([name, text]) => MetricLabel.make(name, text))
    const tagged = Metric.taggedWithLabels(metric, labels)
    known.set(key, tagged)
    return tagged.unsafeUpdate(value, [])
  }
}

export const makeRequestMetrics = () => {
  const count = remembering(requests)
  const time = remembering(seconds)
  const fail = remembering(authFailures)
  return ({ route = "none", code = "none", startedMillis }: Measured, status: number): void => {
    count(1, `${route} ${status} ${code}`, () => ({ route, status: String(status), code }))
    time((performance.now() - startedMillis) / 1000, route, () => ({ route }))
    if (AUTH_FAILURES.has(code)) fail(1, code, () => ({ code }))
  }
}

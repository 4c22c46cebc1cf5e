/** What operators see of each indexed source: the time of its answers, and what it failed with. */
import { Duration, Effect, Either, Metric, MetricBoundaries } from "effect"
import type { Network } from "./IndexerSchemas.ts"
import type { Ask } from "./Source.ts"

const seconds = Metric.histogram(
  "service_indexer_seconds",
  MetricBoundaries.fromIterable([0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]),
  "Seconds until an indexed source answered a question or failed to."
)
const failures = Metric.counter("service_indexer_failures_total", {
  description: "Questions to an indexed source without a usable answer, by the code of the refusal.",
  incremental: true
})

/** A source is named by its network, never by its URL. */
export const measured = (network: Network, ask: Ask): Ask => {
  const took = Metric.tagged(seconds, "network", network)
  const failed = Metric.tagged(failures, "network", network)
  return question =>
    Effect.flatMap(Effect.timed(Effect.either(ask(question))), ([duration, answer]) =>
      Metric.update(took, Duration.toSeconds(duration)).pipe(
        Effect.zipRight(
          Either.isLeft(answer)
            ? Metric.update(Metric.tagged(failed, "code", answer.left._tag), 1)
            : Effect.void
        ),
        Effect.zipRight(answer)
      )
    )
}

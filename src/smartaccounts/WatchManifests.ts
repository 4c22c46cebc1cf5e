/** Looks each minute whether the chains still have the code that the manifests pin, and tells operators; it refuses nothing. */
import { Effect, Layer, Metric, Schedule } from "effect"
import { countingRounds } from "../telemetry/Rounds.ts"
import { Manifests } from "./Manifests.ts"

const state = Metric.gauge("service_manifest_state", {
  description: "1 for the state that a manifest was last seen in, 0 for the others, by manifest and state."
})

const STATES = ["verified", "drifted", "unverified"] as const

export const sweepManifests = Effect.gen(function* () {
  const { all, look } = yield* Manifests
  yield* Effect.forEach(
    all,
    Effect.fnUntraced(function* (manifest) {
      const seen = yield* look(manifest)
      yield* Effect.forEach(STATES, each =>
        Metric.set(
          state.pipe(Metric.tagged("manifest", manifest.id), Metric.tagged("state", each)),
          each === seen.state ? 1 : 0
        )
      )
    }),
    { concurrency: "unbounded", discard: true }
  )
}).pipe(Effect.withSpan("Manifests.sweep"))

export const manifestWorker = Layer.scopedDiscard(
  Effect.flatMap(countingRounds("manifests"), counting =>
    counting(sweepManifests).pipe(
      Effect.ignore,
      Effect.catchAllDefect(defect => Effect.logError("manifests could not be looked at", defect)),
      Effect.repeat(Schedule.spaced("60 seconds")),
      Effect.forkScoped
    )
  )
)

/** A worker that looks again for as long as the process lives, sooner where a page was full. */
import { Duration, Effect, type Scope } from "effect"
import { countingRounds } from "../telemetry/Rounds.ts"

interface Pace {
  /** As operators know it. */
  readonly worker: string
  readonly page: number
  /** After a full page at least; it rests for as long as the page took, so that requests have half of the service however much waits. */
  readonly between?: Duration.DurationInput
  readonly idle: Duration.DurationInput
}

export const sweepForever = <E, R>(
  sweep: Effect.Effect<number, E, R>,
  { worker, page, between = 0, idle }: Pace
): Effect.Effect<never, never, R | Scope.Scope> =>
  Effect.flatMap(countingRounds(worker), counting =>
    counting(sweep).pipe(
      Effect.catchAll(() => Effect.succeed(0)),
      Effect.catchAllDefect(defect => Effect.as(Effect.logError("a sweep failed unforeseen", defect), 0)),
      Effect.timed,
      Effect.flatMap(([took, count]) => Effect.sleep(count < page ? idle : Duration.max(between, took))),
      Effect.forever
    )
  )

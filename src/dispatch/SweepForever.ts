/** A worker that looks again for as long as the process lives, at once where a page was full. */
import { type Duration, Effect } from "effect"

interface Pace {
  readonly page: number
  readonly idle: Duration.DurationInput
}

export const sweepForever = <E, R>(
  sweep: Effect.Effect<number, E, R>,
  { page, idle }: Pace
): Effect.Effect<never, never, R> =>
  sweep.pipe(
    Effect.catchAll(() => Effect.succeed(0)),
    Effect.catchAllDefect(defect => Effect.as(Effect.logError("a sweep failed unforeseen", defect), 0)),
    Effect.flatMap(count => (count < page ? Effect.sleep(idle) : Effect.void)),
    Effect.forever
  )

/** A worker that looks again for as long as the process lives, sooner where a page was full. */
import { type Duration, Effect } from "effect"

interface Pace {
  readonly page: number
  /** After a full page; at once where it is left out. */
  readonly between?: Duration.DurationInput
  readonly idle: Duration.DurationInput
}

export const sweepForever = <E, R>(
  sweep: Effect.Effect<number, E, R>,
  { page, between = 0, idle }: Pace
): Effect.Effect<never, never, R> =>
  sweep.pipe(
    Effect.catchAll(() => Effect.succeed(0)),
    Effect.catchAllDefect(defect => Effect.as(Effect.logError("a sweep failed unforeseen", defect), 0)),
    Effect.flatMap(count => Effect.sleep(count < page ? idle : between)),
    Effect.forever
  )

/** Work on many rows by batches, each a statement of its own, that leaves the database half of its time for others. */
import { Effect } from "effect"
import { steadyMillis } from "../values/SteadyClock.ts"

/** Repeats while batches are full, and rests after each for as long as it took; gives the number of rows in all. */
export const whileFull = <E, R>(
  size: number,
  batch: Effect.Effect<number, E, R>,
  before = 0
): Effect.Effect<number, E, R> =>
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    const began = steadyMillis(clock)
    const count = yield* batch
    if (count < size) return before + count
    yield* Effect.sleep(steadyMillis(clock) - began)
    return yield* whileFull(size, batch, before + count)
  })

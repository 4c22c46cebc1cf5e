/** Work on many rows by batches, each a statement of its own, that leaves the database half of its time for others. */
import { Clock, Effect } from "effect"

/** Repeats while batches are full, and rests after each for as long as it took; gives the number of rows in all. */
export const whileFull = <E, R>(
  size: number,
  batch: Effect.Effect<number, E, R>,
  before = 0
): Effect.Effect<number, E, R> =>
  Effect.gen(function* () {
    const began = yield* Clock.currentTimeMillis
    const count = yield* batch
    if (count < size) return before + count
    yield* Effect.sleep((yield* Clock.currentTimeMillis) - began)
    return yield* whileFull(size, batch, before + count)
  })

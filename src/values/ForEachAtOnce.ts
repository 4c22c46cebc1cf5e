/** An effect for each, all at the same time; for one alone, as most requests are of one chain, without the fibers that this takes. */
import { Effect } from "effect"

export const forEachAtOnce = <A, B, E, R>(
  items: Iterable<A>,
  run: (item: A, index: number) => Effect.Effect<B, E, R>
): Effect.Effect<Array<B>, E, R> => {
  const all = [...items]
  return all.length <= 1 ? Effect.forEach(all, run) : Effect.forEach(all, run, { concurrency: "unbounded" })
}

/** Reads that travel together: they are gathered first and asked at once, because what a fiber of a fiber asks would miss the round trip. */
import { Effect, Option } from "effect"
import { type Observed, observed } from "../values/Observed.ts"

/** What a read of the round told, once the round has run. */
export type Told<A> = () => A

export interface Round<F> {
  /** A read that may fail by itself. */
  readonly ask: <A, E>(read: Effect.Effect<A, E>) => Told<Observed<A>>
  /** A read that rests on an observed value, and is unknown for the same reason as that. */
  readonly from: <A, B, E>(on: Observed<A>, read: (value: A) => Effect.Effect<B, E>) => Told<Observed<B>>
  /** A read without which the round is worth nothing. */
  readonly need: <A>(read: Effect.Effect<A, F>) => Told<A>
  readonly run: Effect.Effect<void, F>
}

export const makeRound = <F = never>(): Round<F> => {
  const reads: Array<Effect.Effect<void, F>> = []
  const need = <A>(read: Effect.Effect<A, F>): Told<A> => {
    let answer = Option.none<A>()
    reads.push(
      Effect.map(read, told => {
        answer = Option.some(told)
      })
    )
    return () => Option.getOrThrow(answer)
  }
  return {
    ask: read => need(observed(read)),
    from: (on, read) => (on.status === "unknown" ? () => on : need(observed(read(on.value)))),
    need,
    run: Effect.suspend(() =>
      Effect.forEach(reads, read => read, { concurrency: "unbounded", discard: true })
    )
  }
}

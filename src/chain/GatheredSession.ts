/** Lets reads that fibers ask for side by side share one round trip of their session. */
import { Deferred, Effect, Exit } from "effect"
import type { Answers, ChainSession, Read } from "./ChainClient.ts"
import type { RpcFailure } from "./refusals.ts"

type Reads = ReadonlyArray<Read<unknown>>
type Values = ReadonlyArray<unknown>

interface Waiting {
  readonly reads: Reads
  readonly answers: Deferred.Deferred<Values, RpcFailure>
}

const deliver = (batch: ReadonlyArray<Waiting>, exit: Exit.Exit<Values, RpcFailure>) => {
  let position = 0
  return Effect.forEach(
    batch,
    ({ reads, answers }) => {
      const from = position
      position += reads.length
      return Deferred.done(
        answers,
        Exit.map(exit, values => values.slice(from, from + reads.length))
      )
    },
    { discard: true }
  )
}

export const gathered = (session: ChainSession): ChainSession => {
  let waiting: Array<Waiting> = []

  const flush = Effect.suspend(() => {
    const batch = waiting
    waiting = []
    const all: Effect.Effect<Values, RpcFailure> = session.all(batch.flatMap(({ reads }) => reads))
    return Effect.onExit(all, exit => deliver(batch, exit))
  })

  /** Who asks first gives way once, so that the others can join, and then asks for all. */
  const ask = Effect.fnUntraced(function* (reads: Reads) {
    const answers = yield* Deferred.make<Values, RpcFailure>()
    waiting.push({ reads, answers })
    if (waiting.length === 1) yield* Effect.zipRight(Effect.yieldNow(), Effect.exit(flush))
    return yield* Deferred.await(answers)
  })

  function all<const R extends Reads>(reads: R): Effect.Effect<Answers<R>, RpcFailure>
  function all(reads: Reads): Effect.Effect<Values, RpcFailure> {
    return ask(reads)
  }

  return { ...session, all }
}

/** Lets reads that fibers ask for side by side share one round trip of their session. */
import { Cause, Deferred, Effect, Exit, FiberId } from "effect"
import type { Answers, ChainSession, Read } from "./ChainClient.ts"
import type { RpcFailure } from "./refusals.ts"

type Reads = ReadonlyArray<Read<unknown>>
type Values = ReadonlyArray<unknown>

type Restore = <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

interface Waiting {
  readonly reads: Reads
  readonly answers: Deferred.Deferred<Values, RpcFailure>
}

/** Until every fiber waits for something outside; a fiber between nested forks and joins needs many turns to get there. */
const whenAllWait = Effect.async<void>(resume => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})

const gathering = new WeakSet<ChainSession>()

/** The session itself where it is one already. */
export const batched = (session: ChainSession): ChainSession => {
  if (gathering.has(session)) return session
  let joining: Array<Waiting> | undefined

  /** Those whose leader was interrupted ask again among themselves. */
  const deliver = (joined: ReadonlyArray<Waiting>, from: number, exit: Exit.Exit<Values, RpcFailure>) => {
    const isLeft = Exit.isFailure(exit) && Cause.isInterrupted(exit.cause)
    let position = from
    for (const { reads, answers } of joined) {
      const [start, end] = [position, position + reads.length]
      position = end
      Deferred.unsafeDone(answers, isLeft ? ask(reads) : Exit.map(exit, values => values.slice(start, end)))
    }
  }

  /** Who asks first gives way, so that the others can join, and then asks for all. */
  const lead = (own: Reads, restore: Restore): Effect.Effect<Values, RpcFailure> => {
    const joined: Array<Waiting> = []
    joining = joined
    const flush = Effect.suspend((): Effect.Effect<Values, RpcFailure> => {
      joining = undefined
      return session.all([...own, ...joined.flatMap(({ reads }) => reads)])
    })
    return restore(Effect.zipRight(whenAllWait, flush)).pipe(
      Effect.onExit(exit =>
        Effect.sync(() => {
          if (joining === joined) joining = undefined
          deliver(joined, own.length, exit)
        })
      ),
      Effect.map(values => values.slice(0, own.length))
    )
  }

  /** In one step, for a fiber may give way or be interrupted between any two: who joins is told by whoever leads. */
  const ask = (reads: Reads): Effect.Effect<Values, RpcFailure> =>
    Effect.uninterruptibleMask(restore => {
      if (joining === undefined) return lead(reads, restore)
      const answers = Deferred.unsafeMake<Values, RpcFailure>(FiberId.none)
      joining.push({ reads, answers })
      return restore(Deferred.await(answers))
    })

  function all<const R extends Reads>(reads: R): Effect.Effect<Answers<R>, RpcFailure>
  function all(reads: Reads): Effect.Effect<Values, RpcFailure> {
    return ask(reads)
  }

  const gathered = { ...session, all }
  gathering.add(gathered)
  return gathered
}

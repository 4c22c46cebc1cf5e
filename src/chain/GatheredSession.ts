/** Lets reads that fibers ask for side by side share one round trip of their session. */
import { Cause, Deferred, Effect, Exit, FiberId } from "effect"
import type { Answers, ChainSession, Read } from "./ChainClient.ts"
import { type Asker, answerParted } from "./PartedTrip.ts"
import type { RpcFailure } from "./refusals.ts"

type Reads = ReadonlyArray<Read<unknown>>
type Values = ReadonlyArray<unknown>

type Restore = <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** Until every fiber waits for something outside; a fiber between nested forks and joins needs many turns to get there. */
const whenAllWait = Effect.async<void>(resume => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})

const gathering = new WeakSet<ChainSession>()

const askerOf = (reads: Reads): Asker => ({ reads, answers: Deferred.unsafeMake(FiberId.none) })

/** The session itself where it is one already. */
export const batched = (session: ChainSession): ChainSession => {
  if (gathering.has(session)) return session
  let joining: Array<Asker> | undefined

  /** Those whose leader was interrupted ask again among themselves. */
  const desert = (joined: ReadonlyArray<Asker>, cause: Cause.Cause<never>) => {
    const isLeft = Cause.isInterrupted(cause)
    for (const { reads, answers } of joined)
      Deferred.unsafeDone(answers, isLeft ? ask(reads) : Exit.failCause(cause))
  }

  /** Who asks first gives way, so that the others can join, and then asks for all. */
  const lead = (own: Reads, restore: Restore): Effect.Effect<Values, RpcFailure> => {
    const leader = askerOf(own)
    const joined = [leader]
    joining = joined
    const flush = Effect.suspend(() => {
      joining = undefined
      return answerParted(session, joined)
    })
    return restore(Effect.zipRight(whenAllWait, flush)).pipe(
      Effect.onExit(exit =>
        Effect.sync(() => {
          if (joining === joined) joining = undefined
          if (Exit.isFailure(exit)) desert(joined, exit.cause)
        })
      ),
      Effect.zipRight(Deferred.await(leader.answers))
    )
  }

  /** In one step, for a fiber may give way or be interrupted between any two: who joins is told by whoever leads. */
  const ask = (reads: Reads): Effect.Effect<Values, RpcFailure> =>
    Effect.uninterruptibleMask(restore => {
      if (joining === undefined) return lead(reads, restore)
      const asker = askerOf(reads)
      joining.push(asker)
      return restore(Deferred.await(asker.answers))
    })

  function all<const R extends Reads>(reads: R): Effect.Effect<Answers<R>, RpcFailure>
  function all(reads: Reads): Effect.Effect<Values, RpcFailure> {
    return ask(reads)
  }

  const gathered = { ...session, all }
  gathering.add(gathered)
  return gathered
}

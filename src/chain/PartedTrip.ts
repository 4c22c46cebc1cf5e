/** One round trip for several who ask; one that is answered with too much is parted, so that only whose answer is too large goes without. */
import { Array as Arrays, Deferred, Effect, Exit } from "effect"
import type { ChainSession, Read } from "./ChainClient.ts"
import { OversizedAnswer } from "./HttpExchange.ts"
import type { RpcFailure } from "./refusals.ts"

export interface Asker {
  readonly reads: ReadonlyArray<Read<unknown>>
  readonly answers: Deferred.Deferred<ReadonlyArray<unknown>, RpcFailure>
}

type Askers = ReadonlyArray<Asker>

/** As many as find one among two hundred in two rounds. */
const PARTS = 16
const FURTHER_TRIPS = 64
const AT_ONCE = 4

/** No node is to blame for what a contract answers. */
const alone = ({ reads }: Asker, failure: OversizedAnswer): OversizedAnswer =>
  reads.some(({ method }) => method === "eth_call")
    ? new OversizedAnswer({ detail: "The contract answers more than one read takes.", retryable: false })
    : failure

const answer = (askers: Askers, values: ReadonlyArray<unknown>): void => {
  let position = 0
  for (const { reads, answers } of askers) {
    const start = position
    position += reads.length
    Deferred.unsafeDone(answers, Exit.succeed(values.slice(start, position)))
  }
}

const fail = (askers: Askers, failure: RpcFailure): void => {
  for (const { answers } of askers) Deferred.unsafeDone(answers, Exit.fail(failure))
}

/** Each is told as soon as its part is answered. */
export const answerParted = (session: ChainSession, askers: Askers): Effect.Effect<void> => {
  let further = FURTHER_TRIPS
  const part = (some: Askers, failure: OversizedAnswer): Effect.Effect<void> => {
    const [first, ...others] = some
    if (first !== undefined && others.length === 0)
      return Effect.sync(() => fail(some, alone(first, failure)))
    const parts = Arrays.chunksOf(some, Math.ceil(some.length / PARTS))
    if (parts.length > further) return Effect.sync(() => fail(some, failure))
    further -= parts.length
    return Effect.forEach(parts, ask, { concurrency: AT_ONCE, discard: true })
  }
  const ask = (some: Askers): Effect.Effect<void> =>
    Effect.matchEffect(session.all(some.flatMap(({ reads }) => reads)), {
      onSuccess: values => Effect.sync(() => answer(some, values)),
      onFailure: failure =>
        failure instanceof OversizedAnswer ? part(some, failure) : Effect.sync(() => fail(some, failure))
    })
  return ask(askers)
}

/** What is asked at the head as it was just now, with a look at the chain in the same round trip. */
import { Effect, Option } from "effect"
import { eachAtOnce } from "../values/EachAtOnce.ts"
import { ChainClient, type Snapshot } from "./ChainClient.ts"
import { batched } from "./GatheredSession.ts"
import { latestBlock } from "./Reads.ts"
import { SteadyHeads } from "./SteadyHeads.ts"

/** None where no head is likely, where it no longer is the head, and where anything did not go well: it is to be asked at the head that is found. */
export const atSteadyHead = Effect.fnUntraced(function* <A, E, R>(
  chainId: number,
  run: (snapshot: Snapshot) => Effect.Effect<A, E, R>
) {
  const heads = yield* SteadyHeads
  const steady = yield* heads.recall(chainId)
  if (steady === undefined) return Option.none<A>()
  const ran = Effect.gen(function* () {
    const chains = yield* ChainClient
    const session = batched(yield* chains.session(chainId))
    const [answered, told] = yield* eachAtOnce([
      run(chains.snapshotOf(session, steady)),
      session.all([latestBlock(chainId)])
    ])
    const found = yield* answered
    const [head] = yield* told
    yield* heads.note(head)
    return head.hash === steady.hash ? Option.some(found) : Option.none<A>()
  })
  return yield* Effect.orElseSucceed(ran, () => Option.none<A>())
})

/** At the chain's latest block, at which may be asked the next time. */
export const notedSnapshot = Effect.fnUntraced(function* (chainId: number) {
  const snapshot = yield* (yield* ChainClient).snapshot(chainId)
  yield* (yield* SteadyHeads).note(snapshot.block)
  return snapshot
})

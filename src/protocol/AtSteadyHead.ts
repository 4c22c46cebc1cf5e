/** What is asked at the head as it was just now, with a look at the chain in the same round trip. */
import { Effect, Option } from "effect"
import { latestBlock } from "../chain/Reads.ts"
import { SteadyHeads } from "../chain/SteadyHeads.ts"
import { PinnedContracts, type PinnedSnapshot } from "./PinnedContracts.ts"

/** None where no head is likely, where it no longer is the head, and where anything did not go well: it is to be asked at the head that is found. */
export const atSteadyHead = Effect.fnUntraced(function* <A, E, R>(
  chainId: number,
  run: (snapshot: PinnedSnapshot) => Effect.Effect<A, E, R>
) {
  const heads = yield* SteadyHeads
  const steady = yield* heads.recall(chainId)
  if (steady === undefined) return Option.none<A>()
  const ran = Effect.gen(function* () {
    const snapshot = yield* (yield* PinnedContracts).snapshotAt(steady)
    const [found, head] = yield* Effect.all([run(snapshot), snapshot.ask(latestBlock(chainId))], {
      concurrency: "unbounded"
    })
    yield* heads.note(head)
    return head.hash === steady.hash ? Option.some(found) : Option.none<A>()
  })
  return yield* Effect.orElseSucceed(ran, () => Option.none<A>())
})

/** The chain's latest block, which may be asked at the next time. */
export const notedHead = Effect.fnUntraced(function* (chainId: number) {
  const snapshot = yield* (yield* PinnedContracts).snapshotOf(chainId)
  yield* (yield* SteadyHeads).note(snapshot.block)
  return snapshot
})

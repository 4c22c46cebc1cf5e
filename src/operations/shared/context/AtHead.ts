/** What an operation simulates, at the latest block of its chain. */
import { Effect } from "effect"
import { believingReverts } from "../../../chain/BelievedRevert.ts"
import { PinnedContracts, type PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import type { AnyRefusal } from "../../../values/Refusal.ts"

export const atHead = <A, E extends AnyRefusal, R>(
  chainId: number,
  run: (snapshot: PinnedSnapshot) => Effect.Effect<A, E, R>
) =>
  Effect.flatMap(PinnedContracts, contracts => {
    const anew = contracts.snapshotOf(chainId)
    return Effect.flatMap(anew, first =>
      believingReverts(first, { headOf: ({ block }) => block.hash, anew, run })
    )
  })

import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { currencyOf } from "../../protocol/PoolIds.ts"
import type { Address } from "../../values/Scalars.ts"
import { poolCalls } from "./BuybackPools.ts"

/** What a hook answers of its pool, for every hook that is published. */
export const foreseeBuyback = (snapshot: PinnedSnapshot, projectId: string, token: Address) =>
  snapshot.foresee(
    snapshot
      .deploymentsOf("JBBuybackHook")
      .flatMap(({ address }) => poolCalls(projectId, address, [currencyOf(token)]))
  )

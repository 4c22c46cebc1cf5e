/** How sent operations are followed: by their entry point's events, whoever had them executed. */
import { Effect } from "effect"
import { ChainClient } from "../chain/ChainClient.ts"
import type { Tracking } from "../dispatch/Transport.ts"
import { Settings } from "../settings/Settings.ts"
import { locateOperations } from "./LocateOperations.ts"
import { OperationWatchStore } from "./OperationWatchStore.ts"
import { proveOperation } from "./ProveOperation.ts"

export const operationTracking = Effect.gen(function* () {
  const chains = yield* ChainClient
  const store = yield* OperationWatchStore
  const { traceBatches } = (yield* Settings).userOperations
  const locate: Tracking["locate"] = (chainId, steps) =>
    locateOperations(chainId, steps).pipe(
      Effect.provideService(ChainClient, chains),
      Effect.provideService(OperationWatchStore, store)
    )
  const tracking: Tracking = {
    locate,
    walletNonce: () => undefined,
    prove: proveOperation(store, { isTraced: traceBatches })
  }
  return tracking
})

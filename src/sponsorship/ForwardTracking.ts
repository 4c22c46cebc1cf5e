/** How published requests are followed: by their forwarder's events, whoever had them executed. */
import { Effect } from "effect"
import { ChainClient } from "../chain/ChainClient.ts"
import type { Tracking } from "../dispatch/Transport.ts"
import { locateForwarded } from "./LocateForwarded.ts"
import { proveForwarded } from "./ProveForwarded.ts"
import { SponsoredCallStore } from "./SponsoredCallStore.ts"

export const forwardTracking = Effect.gen(function* () {
  const chains = yield* ChainClient
  const store = yield* SponsoredCallStore
  const locate: Tracking["locate"] = (chainId, steps) =>
    locateForwarded(chainId, steps).pipe(
      Effect.provideService(ChainClient, chains),
      Effect.provideService(SponsoredCallStore, store)
    )
  const tracking: Tracking = { locate, walletNonce: () => undefined, prove: proveForwarded }
  return tracking
})

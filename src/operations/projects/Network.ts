/** Which network an operation is about: the named one, that of the chain, or the usual one. */
import { Effect } from "effect"
import { Indexer } from "../../indexer/Indexer.ts"
import type { Network } from "../../indexer/IndexerSchemas.ts"
import { ChainOutsideNetwork } from "./refusals.ts"

export const namedNetwork = (network: Network | undefined): Effect.Effect<Network, never, Indexer> =>
  network === undefined ? Effect.map(Indexer, ({ usualNetwork }) => usualNetwork) : Effect.succeed(network)

export const chosenNetwork = (
  network: Network | undefined,
  chainId: number | undefined
): Effect.Effect<Network, ChainOutsideNetwork, Indexer> =>
  Effect.flatMap(Indexer, ({ networkOf, chainsOf }) => {
    if (chainId === undefined) return namedNetwork(network)
    const own = networkOf(chainId)
    if (own !== undefined && (network === undefined || network === own)) return Effect.succeed(own)
    const allowed =
      network === undefined ? [...chainsOf("mainnet"), ...chainsOf("testnet")] : chainsOf(network)
    return new ChainOutsideNetwork({
      detail: "The chain does not belong to the network.",
      context: {
        path: "chainId",
        expected: network === undefined ? "an indexed chain" : `a ${network} chain`,
        allowed
      }
    })
  })

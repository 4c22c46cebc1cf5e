/** Which network a search is about: the named one, that of the chain, or mainnet. */
import { Effect } from "effect"
import type { Network } from "../../indexer/IndexerSchemas.ts"
import { ChainOutsideNetwork } from "./refusals.ts"

export const chosenNetwork = (
  networkOf: (chainId: number) => Network | undefined,
  network: Network | undefined,
  chainId: number | undefined
): Effect.Effect<Network, ChainOutsideNetwork> => {
  if (chainId === undefined) return Effect.succeed(network ?? "mainnet")
  const own = networkOf(chainId)
  if (own !== undefined && (network === undefined || network === own)) return Effect.succeed(own)
  return new ChainOutsideNetwork({
    detail: "The chain does not belong to the network.",
    context: { path: "chainId", expected: network === undefined ? "an indexed chain" : `a ${network} chain` }
  })
}

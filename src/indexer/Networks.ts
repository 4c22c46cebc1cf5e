/** Which chains an indexed source is responsible for. */
import type { Network } from "./IndexerSchemas.ts"

export type Chains = Readonly<Record<Network, ReadonlySet<number>>>

const MAINNETS = [1, 10, 8453, 42161]
const TESTNETS = [11155111, 11155420, 84532, 421614]

/** Local chains count as testnets. */
export const networkChains = (local: ReadonlyArray<number>): Chains => ({
  mainnet: new Set(MAINNETS),
  testnet: new Set([...TESTNETS, ...local])
})

/** The names that sources give to chains, for those that report no id. */
export const CHAIN_NAMES: ReadonlyMap<string, number> = new Map([
  ["ethereum", 1],
  ["mainnet", 1],
  ["optimism", 10],
  ["base", 8453],
  ["arbitrum", 42161],
  ["sepolia", 11155111],
  ["ethereumSepolia", 11155111],
  ["optimismSepolia", 11155420],
  ["baseSepolia", 84532],
  ["arbitrumSepolia", 421614]
])

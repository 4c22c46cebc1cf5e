/** What is known of the chains that an operator may configure. */
export interface ChainFacts {
  readonly name: string
  readonly testnet: boolean
  /** The chain mines only when asked to, so an old head says nothing. */
  readonly idleHeads: boolean
}

const served = (name: string, testnet = false): ChainFacts => ({ name, testnet, idleHeads: false })

const registry: ReadonlyMap<number, ChainFacts> = new Map([
  [1, served("Ethereum")],
  [10, served("OP Mainnet")],
  [8453, served("Base")],
  [42161, served("Arbitrum One")],
  [84532, served("Base Sepolia", true)],
  [421614, served("Arbitrum Sepolia", true)],
  [11155111, served("Sepolia", true)],
  [11155420, served("OP Sepolia", true)],
  [31337, { name: "Local sandbox", testnet: true, idleHeads: true }]
])

export const chainFacts = (chainId: number): ChainFacts => registry.get(chainId) ?? served(`Chain ${chainId}`)

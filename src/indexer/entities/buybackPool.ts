/** Written by `npm run inventory`. */
export const buybackPool = {
  name: "buybackPool",
  key: ["chainId", "poolId"],
  fields: {
    chainId: "Int!",
    projectId: "Int!",
    version: "Int!",
    createdAt: "Int!",
    poolId: "Hex!",
    terminalToken: "Hex!",
    currency0: "Hex!",
    currency1: "Hex!",
    projectTokenIsCurrency0: "Boolean!",
    initialSqrtPriceX96: "BigInt"
  },
  relations: {
    project: "project"
  }
} as const

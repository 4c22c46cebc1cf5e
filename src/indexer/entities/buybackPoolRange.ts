/** Written by `npm run inventory`. */
export const buybackPoolRange = {
  name: "buybackPoolRange",
  key: ["chainId", "poolId", "tickLower", "tickUpper"],
  fields: {
    chainId: "Int!",
    projectId: "Int!",
    version: "Int!",
    poolId: "Hex!",
    tickLower: "Int!",
    tickUpper: "Int!",
    liquidity: "BigInt!",
    updatedAt: "Int!"
  },
  recent: "all"
} as const

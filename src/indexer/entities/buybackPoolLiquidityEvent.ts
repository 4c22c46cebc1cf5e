/** Written by `npm run inventory`. */
export const buybackPoolLiquidityEvent = {
  name: "buybackPoolLiquidityEvent",
  key: ["id"],
  fields: {
    id: "String!",
    chainId: "Int!",
    projectId: "Int!",
    version: "Int!",
    txHash: "Hex!",
    timestamp: "Int!",
    logIndex: "Int!",
    poolId: "Hex!",
    tokenId: "BigInt!",
    tickLower: "Int!",
    tickUpper: "Int!",
    liquidityDelta: "BigInt!",
    liquidityAfter: "BigInt!",
    sqrtPriceX96: "BigInt"
  },
  recent: "all"
} as const

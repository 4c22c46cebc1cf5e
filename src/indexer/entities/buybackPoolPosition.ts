/** Written by `npm run inventory`. */
export const buybackPoolPosition = {
  name: "buybackPoolPosition",
  key: ["chainId", "tokenId"],
  fields: {
    chainId: "Int!",
    projectId: "Int!",
    version: "Int!",
    createdAt: "Int!",
    poolId: "Hex!",
    tokenId: "BigInt!",
    owner: "Hex!",
    tickLower: "Int!",
    tickUpper: "Int!",
    liquidity: "BigInt!",
    feeGrowthInside0LastX128: "BigInt!",
    feeGrowthInside1LastX128: "BigInt!",
    feesClaimed0: "BigInt!",
    feesClaimed1: "BigInt!",
    updatedAt: "Int!",
    burned: "Boolean!"
  },
  relations: {
    project: "project",
    pool: "buybackPool"
  }
} as const

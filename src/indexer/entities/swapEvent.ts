/** Written by `npm run inventory`. */
export const swapEvent = {
  name: "swapEvent",
  key: ["id"],
  fields: {
    id: "String!",
    chainId: "Int!",
    version: "Int!",
    txHash: "Hex!",
    timestamp: "Int!",
    caller: "Hex!",
    from: "Hex!",
    logIndex: "Int!",
    projectId: "Int!",
    suckerGroupId: "String!",
    direction: "String!",
    poolId: "Hex",
    terminalTokenAmount: "BigInt!",
    projectTokenAmount: "BigInt!",
    sqrtPriceX96: "BigInt",
    projectTokenIsCurrency0: "Boolean",
    accountingTokenUsdRate: "BigInt"
  },
  relations: {
    project: "project"
  }
} as const

/** Written by `npm run inventory`. */
export const buybackPoolEvent = {
  name: "buybackPoolEvent",
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
    terminalToken: "Hex!",
    poolId: "Hex!",
    currency0: "Hex",
    currency1: "Hex",
    projectTokenIsCurrency0: "Boolean",
    initialSqrtPriceX96: "BigInt"
  },
  relations: {
    project: "project"
  }
} as const

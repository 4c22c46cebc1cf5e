/** Written by `npm run inventory`. */
export const liquidateLoanEvent = {
  name: "liquidateLoanEvent",
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
    borrowAmount: "BigInt!",
    collateral: "BigInt!"
  },
  relations: {
    project: "project"
  }
} as const

/** Written by `npm run inventory`. */
export const manualBurnEvent = {
  name: "manualBurnEvent",
  key: ["id"],
  fields: {
    id: "String!",
    chainId: "Int!",
    from: "Hex!",
    timestamp: "Int!",
    txHash: "Hex!",
    projectId: "Int!",
    suckerGroupId: "String!",
    version: "Int!",
    amount: "BigInt!",
    creditAmount: "BigInt!",
    erc20Amount: "BigInt!"
  },
  relations: {
    project: "project"
  }
} as const

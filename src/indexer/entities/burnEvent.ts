/** Written by `npm run inventory`. */
export const burnEvent = {
  name: "burnEvent",
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

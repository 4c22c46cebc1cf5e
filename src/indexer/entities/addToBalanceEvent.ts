/** Written by `npm run inventory`. */
export const addToBalanceEvent = {
  name: "addToBalanceEvent",
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
    amount: "BigInt!",
    amountUsd: "BigInt!",
    memo: "String",
    metadata: "Hex!",
    returnedFees: "BigInt!"
  },
  relations: {
    project: "project"
  },
  recent: ["amountUsd"]
} as const

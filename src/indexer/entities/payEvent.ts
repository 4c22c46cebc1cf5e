/** Written by `npm run inventory`. */
export const payEvent = {
  name: "payEvent",
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
    distributionFromProjectId: "Int",
    beneficiary: "Hex!",
    amount: "BigInt!",
    amountUsd: "BigInt!",
    memo: "String",
    feeFromProject: "Int",
    newlyIssuedTokenCount: "BigInt!"
  },
  relations: {
    project: "project"
  }
} as const

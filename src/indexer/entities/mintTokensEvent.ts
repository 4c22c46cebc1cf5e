/** Written by `npm run inventory`. */
export const mintTokensEvent = {
  name: "mintTokensEvent",
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
    beneficiary: "Hex!",
    beneficiaryTokenCount: "BigInt!",
    reservedPercent: "BigInt!",
    tokenCount: "BigInt!",
    memo: "String"
  },
  relations: {
    project: "project"
  }
} as const

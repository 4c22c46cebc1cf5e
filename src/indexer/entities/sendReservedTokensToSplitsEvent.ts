/** Written by `npm run inventory`. */
export const sendReservedTokensToSplitsEvent = {
  name: "sendReservedTokensToSplitsEvent",
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
    rulesetCycleNumber: "Int!",
    rulesetId: "Int!",
    tokenCount: "BigInt!",
    leftoverAmount: "BigInt!",
    owner: "Hex!"
  },
  relations: {
    project: "project"
  }
} as const

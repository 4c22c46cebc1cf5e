/** Written by `npm run inventory`. */
export const sendReservedTokensToSplitEvent = {
  name: "sendReservedTokensToSplitEvent",
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
    rulesetId: "Int!",
    tokenCount: "BigInt!",
    groupId: "BigInt!",
    beneficiary: "Hex!",
    hook: "Hex!",
    lockedUntil: "BigInt!",
    percent: "Int!",
    preferAddToBalance: "Boolean!",
    splitProjectId: "Int!"
  },
  relations: {
    project: "project"
  }
} as const

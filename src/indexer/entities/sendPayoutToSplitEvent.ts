/** Written by `npm run inventory`. */
export const sendPayoutToSplitEvent = {
  name: "sendPayoutToSplitEvent",
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
    netAmount: "BigInt!",
    amountUsd: "BigInt!",
    beneficiary: "Hex!",
    lockedUntil: "BigInt!",
    percent: "Int!",
    preferAddToBalance: "Boolean!",
    splitProjectId: "Int!",
    hook: "Hex!",
    group: "BigInt!",
    rulesetId: "Int!"
  },
  relations: {
    project: "project"
  }
} as const

/** Written by `npm run inventory`. */
export const rulesetQueuedEvent = {
  name: "rulesetQueuedEvent",
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
    rulesetId: "BigInt!",
    duration: "BigInt!",
    weight: "BigInt!",
    weightCutPercent: "BigInt!",
    approvalHook: "Hex!",
    metadata: "BigInt!",
    mustStartAtOrAfter: "BigInt!",
    cashOutTax: "Int!",
    cycleNumber: "Int!",
    basedOnId: "Int!"
  },
  relations: {
    project: "project"
  }
} as const

/** Written by `npm run inventory`. */
export const autoIssueEvent = {
  name: "autoIssueEvent",
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
    stageId: "BigInt!",
    beneficiary: "Hex!",
    count: "BigInt!"
  },
  relations: {
    project: "project"
  }
} as const

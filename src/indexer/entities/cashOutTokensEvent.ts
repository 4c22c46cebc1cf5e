/** Written by `npm run inventory`. */
export const cashOutTokensEvent = {
  name: "cashOutTokensEvent",
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
    cashOutCount: "BigInt!",
    beneficiary: "Hex!",
    holder: "Hex!",
    reclaimAmount: "BigInt!",
    cashOutTaxRate: "BigInt!",
    reclaimAmountUsd: "BigInt!",
    metadata: "Hex!",
    rulesetCycleNumber: "BigInt!",
    rulesetId: "BigInt!"
  },
  relations: {
    project: "project"
  }
} as const

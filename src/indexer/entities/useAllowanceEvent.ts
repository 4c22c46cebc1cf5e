/** Written by `npm run inventory`. */
export const useAllowanceEvent = {
  name: "useAllowanceEvent",
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
    amountPaidOut: "BigInt!",
    netAmountPaidOut: "BigInt!",
    beneficiary: "Hex!",
    feeBeneficiary: "Hex!",
    memo: "String",
    rulesetCycleNumber: "Int!",
    rulesetId: "Int!"
  },
  relations: {
    project: "project"
  }
} as const

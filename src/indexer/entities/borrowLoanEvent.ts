/** Written by `npm run inventory`. */
export const borrowLoanEvent = {
  name: "borrowLoanEvent",
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
    borrowAmount: "BigInt!",
    collateral: "BigInt!",
    sourceFeeAmount: "BigInt!",
    prepaidDuration: "Int!",
    prepaidFeePercent: "Int!",
    beneficiary: "Hex!",
    token: "Hex!",
    terminal: "Hex!"
  },
  relations: {
    project: "project"
  }
} as const

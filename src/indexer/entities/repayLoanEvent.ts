/** Written by `npm run inventory`. */
export const repayLoanEvent = {
  name: "repayLoanEvent",
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
    loanId: "BigInt!",
    paidOffLoanId: "BigInt!",
    repayBorrowAmount: "BigInt!",
    collateralCountToReturn: "BigInt!"
  },
  relations: {
    project: "project"
  }
} as const

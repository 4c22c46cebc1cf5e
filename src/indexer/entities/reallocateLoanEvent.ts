/** Written by `npm run inventory`. */
export const reallocateLoanEvent = {
  name: "reallocateLoanEvent",
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
    reallocatedLoanId: "BigInt!",
    removedCollateralCount: "BigInt!"
  },
  relations: {
    project: "project"
  }
} as const

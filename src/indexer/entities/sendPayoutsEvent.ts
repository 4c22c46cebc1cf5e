/** Written by `npm run inventory`. */
export const sendPayoutsEvent = {
  name: "sendPayoutsEvent",
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
    amountUsd: "BigInt!",
    amountPaidOut: "BigInt!",
    amountPaidOutUsd: "BigInt!",
    netLeftoverPayoutAmount: "BigInt!",
    fee: "BigInt!",
    feeUsd: "BigInt!",
    rulesetId: "Int!",
    rulesetCycleNumber: "Int!"
  },
  relations: {
    project: "project"
  }
} as const

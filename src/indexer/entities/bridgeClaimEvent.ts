/** Written by `npm run inventory`. */
export const bridgeClaimEvent = {
  name: "bridgeClaimEvent",
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
    sucker: "Hex!",
    peerChainId: "Int!",
    token: "Hex!",
    beneficiary: "Hex!",
    projectTokenCount: "BigInt!",
    terminalTokenAmount: "BigInt!",
    index: "Int!",
    autoAddedToBalance: "Boolean",
    metadata: "Hex"
  },
  relations: {
    project: "project"
  }
} as const

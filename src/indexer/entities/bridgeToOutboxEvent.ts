/** Written by `npm run inventory`. */
export const bridgeToOutboxEvent = {
  name: "bridgeToOutboxEvent",
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
    peer: "Hex!",
    peerChainId: "Int!",
    token: "Hex!",
    beneficiary: "Hex!",
    projectTokenCount: "BigInt!",
    terminalTokenAmount: "BigInt!",
    index: "Int!",
    root: "Hex!",
    hashed: "Hex!"
  },
  relations: {
    project: "project"
  }
} as const

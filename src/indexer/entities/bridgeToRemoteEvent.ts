/** Written by `npm run inventory`. */
export const bridgeToRemoteEvent = {
  name: "bridgeToRemoteEvent",
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
    index: "Int!",
    nonce: "BigInt!",
    root: "Hex!"
  },
  relations: {
    project: "project"
  }
} as const

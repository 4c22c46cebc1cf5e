/** Written by `npm run inventory`. */
export const inboxRootReceivedEvent = {
  name: "inboxRootReceivedEvent",
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
    nonce: "BigInt!",
    root: "Hex!"
  },
  relations: {
    project: "project"
  }
} as const

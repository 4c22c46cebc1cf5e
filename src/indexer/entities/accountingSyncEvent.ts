/** Written by `npm run inventory`. */
export const accountingSyncEvent = {
  name: "accountingSyncEvent",
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
    sourceTimestamp: "BigInt!",
    sourceTimestampSeconds: "BigInt!"
  },
  relations: {
    project: "project"
  }
} as const

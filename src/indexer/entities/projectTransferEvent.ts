/** Written by `npm run inventory`. */
export const projectTransferEvent = {
  name: "projectTransferEvent",
  key: ["id"],
  fields: {
    id: "String!",
    chainId: "Int!",
    version: "Int!",
    txHash: "Hex!",
    timestamp: "Int!",
    from: "Hex!",
    logIndex: "Int!",
    projectId: "Int!",
    suckerGroupId: "String!",
    previousOwner: "Hex!",
    owner: "Hex!"
  },
  relations: {
    project: "project"
  }
} as const

/** Written by `npm run inventory`. */
export const setUriEvent = {
  name: "setUriEvent",
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
    uri: "String!",
    metadata: "JSON"
  },
  relations: {
    project: "project"
  }
} as const

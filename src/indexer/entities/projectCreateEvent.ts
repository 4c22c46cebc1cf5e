/** Written by `npm run inventory`. */
export const projectCreateEvent = {
  name: "projectCreateEvent",
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
    suckerGroupId: "String!"
  },
  relations: {
    project: "project"
  }
} as const

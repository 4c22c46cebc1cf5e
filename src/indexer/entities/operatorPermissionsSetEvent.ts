/** Written by `npm run inventory`. */
export const operatorPermissionsSetEvent = {
  name: "operatorPermissionsSetEvent",
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
    account: "Hex!",
    operator: "Hex!",
    permissions: "[Int!]",
    packed: "BigInt!",
    isRevnetOperator: "Boolean"
  },
  relations: {
    project: "project"
  }
} as const

/** Written by `npm run inventory`. */
export const deployErc20Event = {
  name: "deployErc20Event",
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
    symbol: "String!",
    name: "String!",
    token: "Hex!"
  },
  relations: {
    project: "project"
  }
} as const

/** Written by `npm run inventory`. */
export const addNftTierEvent = {
  name: "addNftTierEvent",
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
    hook: "Hex!",
    tierId: "Int!",
    price: "BigInt!",
    initialSupply: "Int!",
    remainingSupply: "Int!",
    category: "Int!",
    encodedIpfsUri: "Hex!",
    resolvedUri: "String",
    metadata: "JSON"
  },
  relations: {
    project: "project",
    tier: "nftTier"
  }
} as const

/** Written by `npm run inventory`. */
export const mintNftEvent = {
  name: "mintNftEvent",
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
    beneficiary: "Hex!",
    tierId: "Int!",
    tokenId: "BigInt!",
    totalAmountPaid: "BigInt!"
  },
  relations: {
    project: "project"
  },
  refused: {
    tier: {
      entity: "nftTier",
      lacks: ["hook"]
    },
    nft: {
      entity: "nft",
      lacks: ["hook"]
    }
  }
} as const

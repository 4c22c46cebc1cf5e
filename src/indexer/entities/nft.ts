/** Written by `npm run inventory`. */
export const nft = {
  name: "nft",
  key: ["chainId", "hook", "tokenId", "version"],
  fields: {
    chainId: "Int!",
    projectId: "Int!",
    createdAt: "Int!",
    version: "Int!",
    mintTx: "Hex!",
    tokenId: "BigInt!",
    owner: "Hex!",
    category: "Int!",
    tokenUri: "String",
    metadata: "JSON",
    tierId: "Int!",
    customized: "Boolean",
    customizedAt: "Int!"
  },
  hidden: {
    hook: "Hex!"
  },
  relations: {
    tier: "nftTier",
    project: "project",
    hook: "nftHook"
  },
  refused: {
    participant: {
      entity: "participant",
      lacks: ["projectId"]
    },
    wallet: {
      entity: "wallet",
      lacks: []
    }
  }
} as const

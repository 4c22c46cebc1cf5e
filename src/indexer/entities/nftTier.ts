/** Written by `npm run inventory`. */
export const nftTier = {
  name: "nftTier",
  key: ["version", "chainId", "hook", "tierId"],
  fields: {
    chainId: "Int!",
    projectId: "Int!",
    version: "Int!",
    tierId: "Int!",
    price: "BigInt!",
    allowOwnerMint: "Boolean",
    encodedIpfsUri: "Hex",
    resolvedUri: "String",
    metadata: "JSON",
    initialSupply: "Int!",
    remainingSupply: "Int!",
    cannotBeRemoved: "Boolean",
    transfersPausable: "Boolean",
    votingUnits: "BigInt",
    createdAt: "Int!",
    category: "Int!",
    reserveFrequency: "Int",
    reserveBeneficiary: "Hex",
    svg: "String"
  },
  hidden: {
    hook: "Hex!"
  },
  relations: {
    project: "project",
    hook: "nftHook"
  },
  lists: {
    nfts: "nft"
  }
} as const

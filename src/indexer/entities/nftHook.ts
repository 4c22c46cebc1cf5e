/** Written by `npm run inventory`. */
export const nftHook = {
  name: "nftHook",
  key: ["chainId", "address", "version"],
  fields: {
    chainId: "Int!",
    projectId: "Int!",
    createdAt: "Int!",
    version: "Int!",
    address: "Hex!",
    name: "String",
    symbol: "String"
  },
  relations: {
    project: "project"
  },
  lists: {
    nfts: "nft",
    nftTiers: "nftTier"
  }
} as const

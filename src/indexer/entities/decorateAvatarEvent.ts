/** Written by `npm run inventory`. */
export const decorateAvatarEvent = {
  name: "decorateAvatarEvent",
  source: "decorateBannyEvent",
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
    avatarBodyId: "BigInt!",
    outfitIds: "[BigInt!]",
    backgroundId: "BigInt",
    tokenUri: "String",
    tokenUriMetadata: "JSON"
  },
  refused: {
    avatarNft: {
      entity: "nft",
      lacks: ["hook"]
    }
  },
  renamed: {
    avatarBodyId: "bannyBodyId",
    avatarNft: "bannyNft"
  }
} as const

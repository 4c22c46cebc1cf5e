/** Written by `npm run inventory`. */
export const suckerGroup = {
  name: "suckerGroup",
  key: ["id"],
  fields: {
    id: "String!",
    version: "Int!",
    addresses: "[Hex!]!",
    createdAt: "Int!",
    paymentsCount: "Int!",
    redeemCount: "Int!",
    volume: "BigInt!",
    volumeUsd: "BigInt!",
    redeemVolume: "BigInt!",
    redeemVolumeUsd: "BigInt!",
    nftsMintedCount: "Int!",
    balance: "BigInt!",
    balanceUsd: "BigInt!",
    tokenSupply: "BigInt!",
    reservedTokenSupply: "BigInt!",
    trendingScore: "BigInt!",
    trendingVolume: "BigInt!",
    trendingPaymentsCount: "Int!",
    contributorsCount: "Int!"
  },
  hidden: {
    projects: "[String!]!"
  },
  lists: {
    projects: "project",
    suckerTransactions: "suckerTransaction"
  },
  recent: ["balanceUsd"]
} as const

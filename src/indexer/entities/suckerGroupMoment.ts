/** Written by `npm run inventory`. */
export const suckerGroupMoment = {
  name: "suckerGroupMoment",
  key: ["suckerGroupId", "version", "timestamp"],
  fields: {
    suckerGroupId: "String!",
    version: "Int!",
    timestamp: "Int!",
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
    contributorsCount: "Int!",
    accountingTokenUsdRate: "BigInt"
  },
  recent: ["balanceUsd"]
} as const

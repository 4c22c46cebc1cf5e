/** Written by `npm run inventory`. */
export const projectPayer = {
  name: "projectPayer",
  key: ["version", "chainId", "projectId", "address"],
  fields: {
    chainId: "Int!",
    projectId: "Int!",
    suckerGroupId: "String!",
    version: "Int!",
    createdAt: "Int!",
    address: "Hex!",
    owner: "Hex!",
    deployer: "Hex!",
    defaultBeneficiary: "Hex!",
    defaultMemo: "String!",
    defaultMetadata: "Hex!",
    defaultAddToBalance: "Boolean!",
    paymentsCount: "Int!",
    addToBalanceCount: "Int!",
    volume: "BigInt!",
    volumeUsd: "BigInt!",
    balanceAdded: "BigInt!",
    balanceAddedUsd: "BigInt!",
    totalFacilitated: "BigInt!",
    totalFacilitatedUsd: "BigInt!",
    lastUsedAt: "Int"
  },
  relations: {
    project: "project"
  }
} as const

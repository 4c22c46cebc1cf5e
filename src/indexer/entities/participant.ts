/** Written by `npm run inventory`. */
export const participant = {
  name: "participant",
  key: ["version", "chainId", "projectId", "address"],
  fields: {
    chainId: "Int!",
    projectId: "Int!",
    suckerGroupId: "String!",
    createdAt: "Int!",
    version: "Int!",
    isRevnet: "Boolean",
    address: "Hex!",
    volume: "BigInt!",
    volumeUsd: "BigInt!",
    lastPaidTimestamp: "Int!",
    paymentsCount: "Int!",
    balance: "BigInt!",
    creditBalance: "BigInt!",
    erc20Balance: "BigInt!"
  },
  relations: {
    project: "project",
    suckerGroup: "suckerGroup"
  },
  refused: {
    wallet: {
      entity: "wallet",
      lacks: []
    }
  },
  lists: {
    nfts: "nft",
    loans: "loan"
  }
} as const

/** Written by `npm run inventory`. */
export const loan = {
  name: "loan",
  key: ["id", "chainId", "version"],
  fields: {
    id: "BigInt!",
    projectId: "Int!",
    chainId: "Int!",
    createdAt: "Int!",
    version: "Int!",
    borrowAmount: "BigInt!",
    collateral: "BigInt!",
    sourceFeeAmount: "BigInt!",
    prepaidDuration: "Int!",
    prepaidFeePercent: "Int!",
    beneficiary: "Hex!",
    owner: "Hex!",
    token: "Hex!",
    terminal: "Hex!",
    tokenUri: "String"
  },
  relations: {
    project: "project"
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

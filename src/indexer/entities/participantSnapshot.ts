/** Written by `npm run inventory`. */
export const participantSnapshot = {
  name: "participantSnapshot",
  key: ["version", "chainId", "projectId", "address", "block"],
  fields: {
    chainId: "Int!",
    projectId: "Int!",
    suckerGroupId: "String!",
    timestamp: "Int!",
    version: "Int!",
    block: "Int!",
    address: "Hex!",
    volume: "BigInt!",
    volumeUsd: "BigInt!",
    balance: "BigInt!",
    creditBalance: "BigInt!",
    erc20Balance: "BigInt!"
  }
} as const

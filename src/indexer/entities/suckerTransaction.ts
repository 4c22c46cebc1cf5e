/** Written by `npm run inventory`. */
export const suckerTransaction = {
  name: "suckerTransaction",
  key: ["index", "token", "chainId", "sucker"],
  fields: {
    index: "Int!",
    token: "Hex!",
    projectId: "Int!",
    chainId: "Int!",
    version: "Int!",
    suckerGroupId: "String!",
    createdAt: "Int!",
    sucker: "Hex!",
    peer: "Hex!",
    peerChainId: "Int!",
    beneficiary: "Hex!",
    projectTokenCount: "BigInt!",
    terminalTokenAmount: "BigInt!",
    root: "Hex!",
    status: "suckerTransactionStatus"
  },
  relations: {
    suckerGroup: "suckerGroup"
  }
} as const

/** Written by `npm run inventory`. */
export const projectMoment = {
  name: "projectMoment",
  key: ["version", "chainId", "projectId", "block"],
  fields: {
    projectId: "Int!",
    chainId: "Int!",
    version: "Int!",
    block: "Int!",
    timestamp: "Int!",
    volume: "BigInt!",
    volumeUsd: "BigInt!",
    balance: "BigInt!",
    trendingScore: "BigInt!"
  },
  relations: {
    project: "project"
  }
} as const

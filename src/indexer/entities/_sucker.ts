/** Written by `npm run inventory`. */
export const sucker = {
  name: "_sucker",
  key: ["projectId", "chainId", "version", "address"],
  fields: {
    projectId: "Int!",
    chainId: "Int!",
    version: "Int!",
    address: "Hex!"
  },
  relations: {
    project: "project"
  }
} as const

/** Written by `npm run inventory`. */
export const permissionHolder = {
  name: "permissionHolder",
  key: ["version", "chainId", "account", "projectId", "operator"],
  fields: {
    chainId: "Int!",
    projectId: "Int!",
    version: "Int!",
    account: "Hex!",
    operator: "Hex!",
    permissions: "[Int!]",
    isRevnetOperator: "Boolean"
  },
  relations: {
    project: "project"
  }
} as const

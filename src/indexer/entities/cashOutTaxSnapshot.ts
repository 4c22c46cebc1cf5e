/** Written by `npm run inventory`. */
export const cashOutTaxSnapshot = {
  name: "cashOutTaxSnapshot",
  key: ["version", "chainId", "projectId", "rulesetId"],
  fields: {
    chainId: "Int!",
    projectId: "Int!",
    suckerGroupId: "String!",
    version: "Int!",
    start: "BigInt!",
    duration: "BigInt!",
    cashOutTax: "Int!",
    rulesetId: "BigInt!"
  }
} as const

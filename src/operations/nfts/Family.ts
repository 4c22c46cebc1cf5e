import { DESCRIPTIONS, type Family } from "../framework/OperationFamily.ts"

export const nftsFamily: Family = {
  title: "721 shops",
  references: [DESCRIPTIONS],
  limits: ["A page of tiers holds 1 to 32.", "A payment buys at most 32 items."]
}

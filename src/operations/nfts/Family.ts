import { DESCRIPTIONS, type Family } from "../framework/OperationFamily.ts"
import { LONGEST_TIER_PAGE, MOST_ITEMS } from "./Inputs.ts"

export const nftsFamily: Family = {
  title: "721 shops",
  references: [DESCRIPTIONS],
  limits: [`A page of tiers holds 1 to ${LONGEST_TIER_PAGE}.`, `A payment buys at most ${MOST_ITEMS} items.`]
}

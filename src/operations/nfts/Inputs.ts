import { Schema } from "effect"
import { Address, PositiveUint256 } from "../../values/Scalars.ts"
import { int, list, Project, SlippageBps, SomeAddress, withDefault } from "../shared/inputs/Parts.ts"

export const MOST_ITEMS = 32
export const LONGEST_TIER_PAGE = 32

export const shopPay = {
  project: Project,
  account: Address,
  token: SomeAddress,
  amount: PositiveUint256,
  beneficiary: SomeAddress,
  tierIds: list(int(1, 65_535), MOST_ITEMS, 1).annotations({
    description: "a tier as often as it is bought"
  }),
  slippageBps: SlippageBps,
  allowOverspending: withDefault(Schema.Boolean, false)
}

import { Schema } from "effect"
import { Address, PositiveUint256 } from "../../values/Scalars.ts"
import { int, list, Project, SlippageBps, SomeAddress, withDefault } from "../shared/inputs/Parts.ts"

export const shopPay = {
  project: Project,
  account: Address,
  token: SomeAddress,
  amount: PositiveUint256,
  beneficiary: SomeAddress,
  tierIds: list(int(1, 65_535), 32, 1).annotations({ description: "a tier as often as it is bought" }),
  slippageBps: SlippageBps,
  allowOverspending: withDefault(Schema.Boolean, false)
}

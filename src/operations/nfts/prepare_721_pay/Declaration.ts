import { strict } from "../../../values/Strict.ts"
import { declarePlan } from "../../framework/PlanOperation.ts"
import { shopPay } from "../Inputs.ts"
import { quote721Pay } from "../quote_721_pay/Declaration.ts"
import { ShopPayBasis } from "../Schemas.ts"

export const prepare721Pay = declarePlan({
  id: "prepare_721_pay",
  plan: "721_pay",
  sources: ["onchain"],
  title: "Prepare a 721 payment",
  description: "Plans the exact approval and payment for these tiers.",
  input: strict(shopPay),
  summary: ShopPayBasis,
  problems: quote721Pay.problems
})

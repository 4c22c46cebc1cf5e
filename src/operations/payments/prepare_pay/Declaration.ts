import { strict } from "../../../values/Strict.ts"
import { declarePlan } from "../../framework/PlanOperation.ts"
import { payInput } from "../Inputs.ts"
import { quotePay } from "../quote_pay/Declaration.ts"
import { PayBasis } from "../Schemas.ts"

export const preparePay = declarePlan({
  id: "prepare_pay",
  plan: "pay",
  sources: ["onchain"],
  title: "Prepare a payment",
  description: "Plans the exact approval and payment of a project with a minimum of returned tokens.",
  input: strict(payInput),
  summary: PayBasis,
  problems: quotePay.problems
})

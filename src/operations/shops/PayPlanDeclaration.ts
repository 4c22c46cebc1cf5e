import { declarePlan } from "../framework/PlanOperation.ts"
import { planInputs } from "../inputs/Plans.ts"
import { quote721Pay, ShopPayBasis } from "./Declarations.ts"

export const prepare721Pay = declarePlan({
  id: "prepare_721_pay",
  input: planInputs.prepare_721_pay,
  summary: ShopPayBasis,
  problems: quote721Pay.problems
})

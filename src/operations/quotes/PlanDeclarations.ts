import { declarePlan } from "../framework/PlanOperation.ts"
import { planInputs } from "../inputs/Plans.ts"
import { PayoutBasis, quotePayout } from "./Declarations.ts"

export const preparePayout = declarePlan({
  id: "prepare_payout",
  input: planInputs.prepare_payout,
  summary: PayoutBasis,
  problems: quotePayout.problems
})

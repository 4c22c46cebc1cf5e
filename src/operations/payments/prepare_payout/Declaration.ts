import { strict } from "../../../values/Strict.ts"
import { declarePlan } from "../../framework/PlanOperation.ts"
import { payout } from "../Inputs.ts"
import { quotePayout } from "../quote_payout/Declaration.ts"
import { PayoutBasis } from "../Schemas.ts"

export const preparePayout = declarePlan({
  id: "prepare_payout",
  plan: "payout",
  sources: ["onchain"],
  title: "Prepare a payout",
  description: "Plans the exact sending of payouts with a minimum paid out.",
  input: strict(payout),
  summary: PayoutBasis,
  problems: [...quotePayout.problems, "PAYOUT_LIMIT_EXCEEDED"]
})

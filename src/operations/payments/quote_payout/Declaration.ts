import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { payout } from "../Inputs.ts"
import { FROM_TERMINAL, PayoutBasis, warned } from "../Schemas.ts"

export const quotePayout = declareOperation({
  id: "quote_payout",
  kind: "read",
  sources: ["onchain"],
  title: "Quote a payout",
  description: "What sending payouts would pay out now, before splits and fees.",
  input: strict(payout),
  output: strict({ ...PayoutBasis.fields, ...warned }).annotations({ identifier: "PayoutQuote" }),
  problems: [
    ...FROM_TERMINAL,
    "NOTHING_TO_PAY_OUT",
    "SIMULATION_REVERTED",
    "CALL_REVERTED",
    "DEPLOYMENT_UNAVAILABLE"
  ]
})

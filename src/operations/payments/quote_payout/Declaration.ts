import { Schema } from "effect"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { payout } from "../Inputs.ts"
import { PayoutBasis } from "../Schemas.ts"

const warned = { warnings: Schema.Array(Schema.String) }

export const quotePayout = declareOperation({
  id: "quote_payout",
  kind: "read",
  sources: ["onchain"],
  title: "Quote a payout",
  description: "What sending payouts would pay out now, before splits and fees.",
  input: strict(payout),
  output: strict({ ...PayoutBasis.fields, ...warned }).annotations({ identifier: "PayoutQuote" }),
  problems: [
    "PROJECT_NOT_FOUND",
    "PROJECT_WITHOUT_CONTROLLER",
    "UNSUPPORTED_CONFIGURATION",
    "NO_ACTIVE_RULESET",
    "UNSUPPORTED_TERMINAL",
    "TERMINAL_NOT_REGISTERED",
    "TOKEN_NOT_ACCEPTED",
    "NOTHING_TO_PAY_OUT",
    "SIMULATION_REVERTED",
    "CALL_REVERTED",
    "DEPLOYMENT_UNAVAILABLE"
  ]
})

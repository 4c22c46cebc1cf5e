import { Schema } from "effect"
import { Address } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { optional } from "../../shared/inputs/Parts.ts"
import { cashOutInput } from "../Inputs.ts"
import { CashOutBasis } from "../Schemas.ts"

const warned = { warnings: Schema.Array(Schema.String) }

export const quoteCashOut = declareOperation({
  id: "quote_cash_out",
  kind: "read",
  sources: ["onchain"],
  title: "Quote a cash out",
  description:
    "What cashing out tokens would return now, after the protocol's fee, by the route that pays more.",
  input: strict({ ...cashOutInput, account: optional(Address) }),
  output: strict({ ...CashOutBasis.fields, ...warned }).annotations({ identifier: "CashOutQuote" }),
  problems: [
    "PROJECT_NOT_FOUND",
    "PROJECT_WITHOUT_CONTROLLER",
    "UNSUPPORTED_CONFIGURATION",
    "NO_ACTIVE_RULESET",
    "UNSUPPORTED_TERMINAL",
    "TERMINAL_NOT_REGISTERED",
    "TOKEN_NOT_ACCEPTED",
    "UNSUPPORTED_721_HOOK",
    "INVALID_721_IDENTITY",
    "INVALID_PREVIEW",
    "NOTHING_TO_RECLAIM",
    "CASH_OUT_ROUTE_REQUIRES_REQUOTE",
    "SIMULATION_REVERTED",
    "CALL_REVERTED",
    "DEPLOYMENT_UNAVAILABLE"
  ]
})

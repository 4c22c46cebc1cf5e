import { Address } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { optional } from "../../shared/inputs/Parts.ts"
import { cashOutInput } from "../Inputs.ts"
import { CashOutBasis, FROM_TERMINAL, warned } from "../Schemas.ts"

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
    ...FROM_TERMINAL,
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

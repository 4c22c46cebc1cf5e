import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { payInput } from "../Inputs.ts"
import { PayBasis, warned } from "../Schemas.ts"

export const quotePay = declareOperation({
  id: "quote_pay",
  kind: "read",
  sources: ["onchain"],
  title: "Quote a payment",
  description:
    "What paying a project would mint now, through the terminal and hooks that would act on it, with the least amount to insist on.",
  input: strict(payInput),
  output: strict({ ...PayBasis.fields, ...warned }).annotations({ identifier: "PayQuote" }),
  problems: [
    "INVALID_MEMO",
    "PROJECT_NOT_FOUND",
    "PROJECT_WITHOUT_CONTROLLER",
    "UNSUPPORTED_CONFIGURATION",
    "NO_ACTIVE_RULESET",
    "NO_PAYMENT_ROUTE",
    "UNSUPPORTED_TERMINAL",
    "UNSUPPORTED_ROUTER_GATEWAY",
    "UNSUPPORTED_721_HOOK",
    "INVALID_721_IDENTITY",
    "INVALID_PREVIEW",
    "SIMULATION_REVERTED",
    "CALL_REVERTED",
    "DEPLOYMENT_UNAVAILABLE"
  ]
})

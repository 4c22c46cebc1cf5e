import { Schema } from "effect"
import { ObservedOf } from "../../values/Observed.ts"
import { Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { declarePlan } from "../framework/PlanOperation.ts"
import { planInputs } from "../inputs/Plans.ts"
import { CashOutBasis, PayBasis, PayoutBasis, quoteCashOut, quotePay, quotePayout } from "./Declarations.ts"

export const preparePay = declarePlan({
  id: "prepare_pay",
  input: planInputs.prepare_pay,
  summary: PayBasis,
  problems: quotePay.problems
})

export const prepareCashOut = declarePlan({
  id: "prepare_cash_out",
  input: planInputs.prepare_cash_out,
  summary: strict({
    ...CashOutBasis.fields,
    holderBalance: ObservedOf(Uint256).annotations({
      description: "the holder's tokens and credits of the project"
    }),
    authority: Schema.Literal("holder", "permission").annotations({
      description: "by which the account may cash out for the holder"
    })
  }),
  problems: [...quoteCashOut.problems, "PERMISSION_DENIED"]
})

export const preparePayout = declarePlan({
  id: "prepare_payout",
  input: planInputs.prepare_payout,
  summary: PayoutBasis,
  problems: [...quotePayout.problems, "PAYOUT_LIMIT_EXCEEDED"]
})

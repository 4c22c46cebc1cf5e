import { Schema } from "effect"
import { ObservedOf } from "../../../values/Observed.ts"
import { Address, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declarePlan } from "../../framework/PlanOperation.ts"
import { cashOutInput } from "../Inputs.ts"
import { quoteCashOut } from "../quote_cash_out/Declaration.ts"
import { CashOutBasis } from "../Schemas.ts"

export const prepareCashOut = declarePlan({
  id: "prepare_cash_out",
  plan: "cash_out",
  sources: ["onchain"],
  title: "Prepare a cash out",
  description: "Plans the exact cash out of tokens with a minimum of reclaimed funds.",
  input: strict({ ...cashOutInput, account: Address }),
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

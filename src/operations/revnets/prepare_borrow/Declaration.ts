import { Schema } from "effect"
import { Address, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declarePlan } from "../../framework/PlanOperation.ts"
import { SlippageBps } from "../../shared/inputs/Parts.ts"
import { loanInput } from "../Inputs.ts"
import { quoteLoan } from "../quote_loan/Declaration.ts"
import { LoanBasis } from "../Schemas.ts"

export const prepareBorrow = declarePlan({
  id: "prepare_borrow",
  plan: "borrow",
  sources: ["onchain"],
  title: "Prepare a loan",
  description:
    "Plans the loan against a revnet's tokens and, where it is missing, the permission to burn them.",
  input: strict({ ...loanInput, account: Address, slippageBps: SlippageBps }),
  summary: strict({ ...LoanBasis.fields, minimumBorrowAmount: Uint256, slippageBps: Schema.Int }),
  problems: [
    ...quoteLoan.problems,
    "INSUFFICIENT_COLLATERAL",
    "NOTHING_BORROWABLE",
    "MISSING_LOAN_PERMISSION",
    "HOLDER_BURN_GRANT_REQUIRED"
  ]
})

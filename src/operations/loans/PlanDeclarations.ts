import { Schema } from "effect"
import { Evidence } from "../../values/Evidence.ts"
import { Address, ChainId, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { declarePlan } from "../framework/PlanOperation.ts"
import { planInputs } from "../inputs/Plans.ts"
import { getLoan, Loan, LoanBasis, quoteLoan } from "./Declarations.ts"

export const prepareBorrow = declarePlan({
  id: "prepare_borrow",
  input: planInputs.prepare_borrow,
  summary: strict({ ...LoanBasis.fields, minimumBorrowAmount: Uint256, slippageBps: Schema.Int }),
  problems: [
    ...quoteLoan.problems,
    "INSUFFICIENT_COLLATERAL",
    "NOTHING_BORROWABLE",
    "MISSING_LOAN_PERMISSION",
    "HOLDER_BURN_GRANT_REQUIRED"
  ]
})

export const prepareRepay = declarePlan({
  id: "prepare_repay",
  input: planInputs.prepare_repay,
  summary: strict({
    operation: Schema.Literal("repay_loan"),
    chainId: ChainId,
    loanId: Uint256,
    revnetId: Uint256,
    loan: Loan,
    owner: Address,
    account: Address,
    beneficiary: Address,
    principal: Uint256,
    sourceFee: Uint256,
    total: Uint256,
    maxRepayBorrowAmount: Uint256,
    newDebt: Uint256,
    collateralReturned: Uint256,
    full: Schema.Boolean,
    evidence: Schema.Array(Evidence)
  }),
  problems: [
    ...getLoan.problems,
    "LOAN_EXPIRED",
    "MISSING_LOAN_PERMISSION",
    "EXCESS_COLLATERAL_RETURN",
    "PARTIAL_REPAY_QUOTE_UNAVAILABLE",
    "REMAINING_COLLATERAL_SUPPORTS_EXCESS_DEBT",
    "NOTHING_TO_REPAY",
    "INSUFFICIENT_REPAYMENT_MAXIMUM"
  ]
})

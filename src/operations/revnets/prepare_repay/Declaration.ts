import { Schema } from "effect"
import { Evidence } from "../../../values/Evidence.ts"
import { Address, ChainId, PositiveUint256, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declarePlan } from "../../framework/PlanOperation.ts"
import { SomeAddress } from "../../shared/inputs/Parts.ts"
import { getLoan } from "../get_loan/Declaration.ts"
import { Loan } from "../Schemas.ts"

export const prepareRepay = declarePlan({
  id: "prepare_repay",
  plan: "repay_loan",
  sources: ["onchain"],
  title: "Prepare a repayment",
  description: "Plans the repayment of a loan and the collateral it returns.",
  input: strict({
    chainId: ChainId,
    loanId: PositiveUint256,
    account: Address,
    maxRepayBorrowAmount: PositiveUint256,
    collateralCountToReturn: Uint256,
    beneficiary: SomeAddress
  }),
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

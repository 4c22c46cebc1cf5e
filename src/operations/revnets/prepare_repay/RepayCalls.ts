/** The calls of a repayment: exact allowances where the debt is in an ERC-20 token, and the repayment. */

import type { Address } from "../../../values/Scalars.ts"
import type { PlannedCall } from "../../framework/PlanCalls.ts"
import { NATIVE_TOKEN, type Spending, spendingCalls } from "../../shared/Allowance.ts"
import type { prepareRepay } from "./Declaration.ts"
import type { prepareRepayEffects } from "./Effects.ts"

type Input = typeof prepareRepay.input.Type

export interface RepayFacts {
  readonly sourceToken: Address
  /** Of an ERC-20 source token. */
  readonly spends: Spending | undefined
}

/** Permit2 stays unused. */
const NO_PERMIT = { sigDeadline: "0", amount: "0", expiration: "0", nonce: "0", signature: "0x" }

export const repayCalls = (
  { loanId, maxRepayBorrowAmount, collateralCountToReturn, beneficiary }: Input,
  { sourceToken, spends }: RepayFacts
): ReadonlyArray<PlannedCall<typeof prepareRepayEffects>> =>
  spendingCalls(spends, {
    contract: "REVLoans",
    function: "repayLoan(uint256,uint256,uint256,address,(uint256,uint160,uint48,uint48,bytes))",
    args: [loanId, maxRepayBorrowAmount, collateralCountToReturn, beneficiary, NO_PERMIT],
    value: sourceToken === NATIVE_TOKEN ? BigInt(maxRepayBorrowAmount) : 0n,
    label: `Repay loan ${loanId}`
  })

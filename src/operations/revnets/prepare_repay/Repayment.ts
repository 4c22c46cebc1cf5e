/** What has to be repaid at the block for the collateral that is asked back. */
import { Effect } from "effect"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { AccountingContext } from "../../../protocol/ProjectRecords.ts"
import { Uint256 } from "../../../values/Scalars.ts"
import { readBorrowable } from "../Borrowable.ts"
import { foretellPart } from "../Foretold.ts"
import {
  InsufficientRepaymentMaximum,
  NothingToRepay,
  RemainingCollateralSupportsExcessDebt
} from "../LoanRefusals.ts"
import type { Loan } from "../Schemas.ts"

interface Asked {
  readonly loan: Loan
  readonly revnetId: string
  readonly collateralCountToReturn: string
  readonly maxRepayBorrowAmount: string
}

export interface Repayment {
  readonly principal: string
  readonly sourceFee: string
  readonly total: string
  readonly newDebt: string
  readonly collateralReturned: string
  readonly full: boolean
}

/** What the collateral that is left would borrow anew. */
const newDebtOf = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, asked: Asked) {
  const { loan, revnetId, collateralCountToReturn } = asked
  const left = BigInt(loan.collateral) - BigInt(collateralCountToReturn)
  if (left === 0n) return 0n
  const args = [revnetId, loan.sourceToken] as const
  const context = yield* snapshot.read(
    "JBMultiTerminal",
    "accountingContextForTokenOf",
    args,
    AccountingContext
  )
  yield* foretellPart(snapshot, { revnetId, loan, left, context })
  const { borrowableCapacity } = yield* readBorrowable(snapshot, revnetId, String(left), context)
  return BigInt(borrowableCapacity)
})

/** One round trip, where the loan's account was told already. */
export const repaymentAt = Effect.fn("Loans.repayment")(function* (snapshot: PinnedSnapshot, asked: Asked) {
  const { loan, collateralCountToReturn, maxRepayBorrowAmount } = asked
  const newDebt = yield* newDebtOf(snapshot, asked)
  const principal = BigInt(loan.amount) - newDebt
  if (principal < 0n)
    return yield* new RemainingCollateralSupportsExcessDebt({
      context: { amount: loan.amount, newDebt: String(newDebt) }
    })
  const full = newDebt === 0n
  const collateralReturned = full ? loan.collateral : collateralCountToReturn
  if (principal === 0n && collateralReturned === "0") return yield* new NothingToRepay()
  const sourceFee = yield* snapshot.read(
    "REVLoans",
    "determineSourceFeeAmount",
    [loan, String(principal)],
    Uint256
  )
  const total = principal + BigInt(sourceFee)
  if (total > BigInt(maxRepayBorrowAmount))
    return yield* new InsufficientRepaymentMaximum({
      context: { total: String(total), maxRepayBorrowAmount }
    })
  const repayment: Repayment = {
    principal: String(principal),
    sourceFee,
    total: String(total),
    newDebt: String(newDebt),
    collateralReturned,
    full
  }
  return repayment
})

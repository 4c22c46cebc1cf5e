/** The fees of a new loan of REVLoans. */
import { mulDiv } from "./Arithmetic.ts"
import { feeOn } from "./Fees.ts"

const LOAN_FEE_DENOMINATOR = 1000n
const REV_PREPAID_FEE_PERCENT = 10n
const MAX_PREPAID_FEE_PERCENT = 500n

interface Borrowing {
  readonly gross: bigint
  readonly prepaidFeePercent: bigint
  readonly isFeeless: boolean
  /** Whether the REV project has a terminal for the loan's token. */
  readonly paysRev: boolean
}

interface LoanFees {
  readonly protocol: bigint
  readonly rev: bigint
  readonly source: bigint
  readonly proceeds: { readonly min: bigint; readonly max: bigint }
}

/** `REVLoans.borrowFrom`: the borrower receives the maximum where neither the REV nor the source fee can be paid. */
export const loanFees = ({ gross, prepaidFeePercent, isFeeless, paysRev }: Borrowing): LoanFees => {
  const protocol = isFeeless ? 0n : feeOn(gross)
  const rev = paysRev ? mulDiv(gross, REV_PREPAID_FEE_PERCENT, LOAN_FEE_DENOMINATOR) : 0n
  const source = mulDiv(gross, prepaidFeePercent, LOAN_FEE_DENOMINATOR)
  const max = gross - protocol
  return { protocol, rev, source, proceeds: { min: max - rev - source, max } }
}

/** Seconds during which repaying costs nothing further. */
export const prepaidDuration = (prepaidFeePercent: bigint, liquidationDuration: bigint): bigint =>
  mulDiv(prepaidFeePercent, liquidationDuration, MAX_PREPAID_FEE_PERCENT)

import { Refusal } from "../../values/Refusal.ts"

export class InvalidLoanSource extends Refusal("INVALID_LOAN_SOURCE") {}
export class UnsupportedLoanFees extends Refusal("UNSUPPORTED_LOAN_FEES") {}
export class InsufficientLoanSourceSurplus extends Refusal("INSUFFICIENT_LOAN_SOURCE_SURPLUS") {}
export class InsufficientCollateral extends Refusal("INSUFFICIENT_COLLATERAL") {}
export class NothingBorrowable extends Refusal("NOTHING_BORROWABLE") {}
export class MissingLoanPermission extends Refusal("MISSING_LOAN_PERMISSION") {}
export class HolderBurnGrantRequired extends Refusal("HOLDER_BURN_GRANT_REQUIRED") {}
export class InactiveLoan extends Refusal("INACTIVE_LOAN") {}
export class LoanExpired extends Refusal("LOAN_EXPIRED") {}
export class ExcessCollateralReturn extends Refusal("EXCESS_COLLATERAL_RETURN") {}
export class PartialRepayQuoteUnavailable extends Refusal("PARTIAL_REPAY_QUOTE_UNAVAILABLE") {}
export class RemainingCollateralSupportsExcessDebt extends Refusal(
  "REMAINING_COLLATERAL_SUPPORTS_EXCESS_DEBT"
) {}
export class NothingToRepay extends Refusal("NOTHING_TO_REPAY") {}
export class InsufficientRepaymentMaximum extends Refusal("INSUFFICIENT_REPAYMENT_MAXIMUM") {}

import { Refusal } from "../../values/Refusal.ts"

export class InvalidLoanSource extends Refusal("INVALID_LOAN_SOURCE") {}
export class UnsupportedLoanFees extends Refusal("UNSUPPORTED_LOAN_FEES") {}
export class InsufficientLoanSourceSurplus extends Refusal("INSUFFICIENT_LOAN_SOURCE_SURPLUS") {}
export class InactiveLoan extends Refusal("INACTIVE_LOAN") {}
export class LoanExpired extends Refusal("LOAN_EXPIRED") {}

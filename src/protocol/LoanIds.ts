const LOANS_PER_REVNET = 10n ** 18n

/** Loans are numbered within their revnet. */
export const revnetOfLoan = (loanId: string): string => String(BigInt(loanId) / LOANS_PER_REVNET)

export const isLoanOf =
  (revnetId: string) =>
  (loanId: unknown): boolean =>
    typeof loanId === "string" && revnetOfLoan(loanId) === revnetId

const LOANS_PER_REVNET = 1_000_000_000_000n

/** Loans are numbered within their revnet. */
export const revnetOfLoan = (loanId: string): string => String(BigInt(loanId) / LOANS_PER_REVNET)

export const isLoanOf =
  (revnetId: string) =>
  (loanId: unknown): boolean =>
    typeof loanId === "string" && revnetOfLoan(loanId) === revnetId

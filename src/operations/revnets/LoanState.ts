/** A loan at the block, and whether its time is over. */
import { Effect, Either } from "effect"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { eachAtOnce } from "../../values/EachAtOnce.ts"
import { Address, Uint256 } from "../../values/Scalars.ts"
import { InactiveLoan } from "./LoanRefusals.ts"
import { Loan } from "./Schemas.ts"

interface Asked {
  readonly chainId: number
  readonly loanId: string
}

const questions = ({ read }: PinnedSnapshot, { loanId }: Asked) => ({
  loan: read("REVLoans", "loanOf", [loanId], Loan),
  owner: read("REVLoans", "ownerOf", [loanId], Address),
  revnetId: read("REVLoans", "revnetIdOfLoanWith", [loanId], Uint256),
  duration: read("REVLoans", "LOAN_LIQUIDATION_DURATION", [], Uint256)
})

const isLoan = ({ amount, createdAt }: Loan): boolean => amount !== "0" || createdAt !== "0"

/** One round trip. */
export const loanAt = Effect.fn("Loans.at")(function* (snapshot: PinnedSnapshot, asked: Asked) {
  const { loan: found, owner, revnetId, duration } = yield* eachAtOnce(questions(snapshot, asked))
  const loan = yield* found
  const { chainId, loanId } = asked
  if (!isLoan(loan)) return yield* new InactiveLoan({ context: { chainId, loanId } })
  const deadline = Either.map(duration, time => BigInt(loan.createdAt) + BigInt(time))
  const expired = Either.map(deadline, time => snapshot.block.timestamp > time)
  return { loan, owner, revnetId, deadline, expired }
})

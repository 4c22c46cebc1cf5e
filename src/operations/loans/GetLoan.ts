/** A loan and what repaying all of it costs at the block. */
import { Effect, Either } from "effect"
import { PinnedContracts, type PinnedSnapshot, type ReadFailure } from "../../protocol/PinnedContracts.ts"
import { observed } from "../../values/Observed.ts"
import { Address, Uint256 } from "../../values/Scalars.ts"
import { EACH_AT_ONCE } from "../context/Core.ts"
import { defineOperation } from "../framework/Operation.ts"
import { getLoan, Loan } from "./Declarations.ts"
import { InactiveLoan, LoanExpired } from "./refusals.ts"

const questions = ({ read }: PinnedSnapshot, loanId: string) => ({
  loan: read("REVLoans", "loanOf", [loanId], Loan),
  owner: read("REVLoans", "ownerOf", [loanId], Address),
  revnetId: read("REVLoans", "revnetIdOfLoanWith", [loanId], Uint256),
  duration: read("REVLoans", "LOAN_LIQUIDATION_DURATION", [], Uint256)
})

/** The contract reverts for an expired loan, so that it is not asked. */
const sourceFeeOf = (
  { read }: PinnedSnapshot,
  loan: Loan,
  expired: Either.Either<boolean, unknown>
): Effect.Effect<string, ReadFailure | LoanExpired> =>
  Either.getOrElse(expired, () => false)
    ? new LoanExpired()
    : read("REVLoans", "determineSourceFeeAmount", [loan, loan.amount], Uint256)

const isLoan = ({ amount, createdAt }: Loan): boolean => amount !== "0" || createdAt !== "0"

export const runGetLoan = defineOperation(getLoan, ({ chainId, loanId }) =>
  Effect.gen(function* () {
    const snapshot = yield* (yield* PinnedContracts).snapshotOf(chainId)
    const answers = yield* Effect.all(questions(snapshot, loanId), EACH_AT_ONCE)
    const loan = yield* answers.loan
    if (!isLoan(loan)) return yield* new InactiveLoan({ context: { chainId, loanId } })
    const deadline = Either.map(answers.duration, time => BigInt(loan.createdAt) + BigInt(time))
    const expired = Either.map(deadline, time => snapshot.block.timestamp > time)
    const fee = yield* Effect.either(sourceFeeOf(snapshot, loan, expired))
    const whole = Either.map(fee, amount => String(BigInt(loan.amount) + BigInt(amount)))
    return {
      chainId,
      loanId,
      loan,
      owner: yield* observed(answers.owner),
      revnetId: yield* observed(answers.revnetId),
      deadline: yield* observed(Either.map(deadline, String)),
      expired: yield* observed(expired),
      fullRepaymentSourceFee: yield* observed(fee),
      fullRepaymentAmount: yield* observed(whole),
      evidence: [snapshot.evidence]
    }
  })
)

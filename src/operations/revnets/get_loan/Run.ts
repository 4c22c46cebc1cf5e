/** A loan and what repaying all of it costs at the block. */
import { Effect, Either } from "effect"
import { PinnedContracts, type PinnedSnapshot, type ReadFailure } from "../../../protocol/PinnedContracts.ts"
import { observed } from "../../../values/Observed.ts"
import { Uint256 } from "../../../values/Scalars.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { LoanExpired } from "../LoanRefusals.ts"
import { loanAt } from "../LoanState.ts"
import type { Loan } from "../Schemas.ts"
import { getLoan } from "./Declaration.ts"

/** The contract reverts for an expired loan, so that it is not asked. */
const sourceFeeOf = (
  { read }: PinnedSnapshot,
  loan: Loan,
  expired: Either.Either<boolean, unknown>
): Effect.Effect<string, ReadFailure | LoanExpired> =>
  Either.getOrElse(expired, () => false)
    ? new LoanExpired()
    : read("REVLoans", "determineSourceFeeAmount", [loan, loan.amount], Uint256)

export const runGetLoan = defineOperation(getLoan, ({ chainId, loanId }) =>
  Effect.gen(function* () {
    const snapshot = yield* (yield* PinnedContracts).snapshotOf(chainId)
    const { loan, owner, revnetId, deadline, expired } = yield* loanAt(snapshot, { chainId, loanId })
    const fee = yield* Effect.either(sourceFeeOf(snapshot, loan, expired))
    const whole = Either.map(fee, amount => String(BigInt(loan.amount) + BigInt(amount)))
    return {
      chainId,
      loanId,
      loan,
      owner: yield* observed(owner),
      revnetId: yield* observed(revnetId),
      deadline: yield* observed(Either.map(deadline, String)),
      expired: yield* observed(expired),
      fullRepaymentSourceFee: yield* observed(fee),
      fullRepaymentAmount: yield* observed(whole),
      evidence: [snapshot.evidence]
    }
  })
)

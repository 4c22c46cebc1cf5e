/** A repayment: of the whole debt, which ends the loan, or of a part, which leaves the rest to a new loan of the same age. */
import { Either, Schema } from "effect"
import { isLoanOf, revnetOfLoan } from "../../protocol/LoanIds.ts"
import { ZERO_ADDRESS } from "../../values/Scalars.ts"
import { LOANS } from "./Contracts.ts"
import type { Fields } from "./Events.ts"
import { agreeing, between, exactlyOne, is, isWith, type Verdict } from "./Judgement.ts"
import { predicate, type Scene } from "./Predicate.ts"

const Args = Schema.Struct({
  loanId: Schema.String,
  maxRepayBorrowAmount: Schema.String,
  collateralCountToReturn: Schema.String,
  beneficiary: Schema.String
})

type RepayScene = Scene<typeof Args.Type>

const EVENT = "RepayLoan"
const NOTHING_OWED = { amount: "0" }

/** The principal and the fee are charged against one maximum. */
const repaidWithin = ({ args, account, target, logs }: RepayScene): Verdict<Fields> =>
  Either.gen(function* () {
    const most = args.maxRepayBorrowAmount
    const repaid = yield* exactlyOne(logs, {
      emitter: target,
      event: EVENT,
      about: { loanId: args.loanId, caller: account },
      says: {
        revnetId: is(revnetOfLoan(args.loanId)),
        repayBorrowAmount: between("0", most),
        beneficiary: is(args.beneficiary)
      },
      shows: [
        "loanId",
        "revnetId",
        "paidOffLoanId",
        "loan",
        "paidOffLoan",
        "repayBorrowAmount",
        "sourceFeeAmount",
        "collateralCountToReturn"
      ]
    })
    const left = String(BigInt(most) - BigInt(String(repaid.repayBorrowAmount)))
    yield* agreeing({ event: EVENT, says: { sourceFeeAmount: between("0", left) }, shows: [] }, repaid)
    return repaid
  })

/** All of the collateral comes back where what would be left of it borrows nothing. */
const ended = ({ args, target, logs }: RepayScene, repaid: Fields): Verdict<Fields> => {
  const isWhole = (returned: unknown) => isWith({ collateral: returned })(repaid.loan)
  const says = {
    paidOffLoanId: is(args.loanId),
    collateralCountToReturn: (returned: unknown) =>
      is(args.collateralCountToReturn)(returned) || isWhole(returned)
  }
  return Either.andThen(
    agreeing({ event: EVENT, says, shows: [] }, repaid),
    exactlyOne(logs, {
      emitter: target,
      event: "Transfer",
      about: { to: ZERO_ADDRESS, tokenId: args.loanId },
      says: {},
      shows: ["from", "tokenId"]
    })
  )
}

const continued = ({ args, target, logs }: RepayScene, repaid: Fields): Verdict<Fields> => {
  const isNew = isLoanOf(revnetOfLoan(args.loanId))
  const says = {
    paidOffLoanId: (loanId: unknown) => isNew(loanId) && loanId !== args.loanId,
    collateralCountToReturn: is(args.collateralCountToReturn),
    paidOffLoan: (rest: unknown) => isWith({ createdAt: Object(repaid.loan).createdAt })(rest)
  }
  return Either.andThen(
    agreeing({ event: EVENT, says, shows: [] }, repaid),
    exactlyOne(logs, {
      emitter: target,
      event: "Transfer",
      about: { from: ZERO_ADDRESS, tokenId: repaid.paidOffLoanId },
      says: {},
      shows: ["to", "tokenId"]
    })
  )
}

export const repayLoan = predicate({
  name: "repay_loan",
  contractId: LOANS,
  signature: "repayLoan(uint256,uint256,uint256,address,(uint256,uint160,uint48,uint48,bytes))",
  args: Args,
  judge: scene =>
    Either.gen(function* () {
      const repaid = yield* repaidWithin(scene)
      const isFull = isWith(NOTHING_OWED)(repaid.paidOffLoan)
      const token = yield* isFull ? ended(scene, repaid) : continued(scene, repaid)
      return [repaid, token]
    })
})

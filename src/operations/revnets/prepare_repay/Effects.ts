/** A repayment: of the whole debt, which ends the loan, or of a part, which leaves the rest to a new loan of the same age. */

import { Either, Option, Schema } from "effect"
import { LOANS } from "../../../effects/Contracts.ts"
import type { EventFields } from "../../../effects/Events.ts"
import {
  agreeing,
  between,
  doubted,
  exactlyOne,
  is,
  isWith,
  type Verdict
} from "../../../effects/Judgement.ts"
import { planEffects } from "../../../effects/PlanEffects.ts"
import { predicate, type Scene } from "../../../effects/Predicate.ts"
import { isLoanOf, revnetOfLoan } from "../../../protocol/LoanIds.ts"
import { ZERO_ADDRESS } from "../../../values/Scalars.ts"
import { approvalEffects } from "../../shared/effects/Approve.ts"

const Args = Schema.Struct({
  loanId: Schema.String,
  maxRepayBorrowAmount: Schema.String,
  collateralCountToReturn: Schema.String,
  beneficiary: Schema.String
})

type RepayScene = Scene<typeof Args.Type>

const EVENT = "RepayLoan"
const NOTHING_OWED = { amount: "0" }

const Uint = Schema.String.pipe(Schema.pattern(/^[0-9]{1,78}$/))
const Original = Schema.Struct({ amount: Uint, collateral: Uint, createdAt: Uint })

const ofPlan = Schema.decodeUnknownOption(Schema.Struct({ loanId: Schema.String, loan: Original }))
const ofEvent = Schema.decodeUnknownOption(Original)

/** The loan before the repayment, which nothing else changes under its id; an event may tell it as the repayment left it. */
const originalOf = ({ args, summary }: RepayScene, { loan }: EventFields): Verdict<typeof Original.Type> => {
  const planned = Option.filter(ofPlan(summary), ({ loanId }) => loanId === args.loanId)
  const told = Option.filter(ofEvent(loan), ({ collateral }) => collateral !== "0")
  return Option.match(
    Option.orElse(
      Option.map(planned, plan => plan.loan),
      () => told
    ),
    {
      onNone: () => doubted(`the ${EVENT} event does not tell the loan that was repaid`),
      onSome: Either.right
    }
  )
}

const sum = (...amounts: ReadonlyArray<unknown>): bigint =>
  amounts.reduce((total: bigint, amount) => total + BigInt(String(amount)), 0n)

/** What was repaid is told together with its fee; without it, it is the debt that is gone. */
const isWhatIsGone = (repaid: EventFields, { amount }: typeof Original.Type): boolean => {
  const rest = Object(repaid.paidOffLoan).amount
  return sum(repaid.repayBorrowAmount, rest) === sum(amount, repaid.sourceFeeAmount)
}

const repaidWithin = (scene: RepayScene): Verdict<EventFields> =>
  Either.gen(function* () {
    const { args, account, target, logs } = scene
    const repaid = yield* exactlyOne(logs, {
      emitter: target,
      event: EVENT,
      about: { loanId: args.loanId, caller: account },
      says: {
        revnetId: is(revnetOfLoan(args.loanId)),
        repayBorrowAmount: between("0", args.maxRepayBorrowAmount),
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
    if (!isWhatIsGone(repaid, yield* originalOf(scene, repaid)))
      return yield* doubted(`the ${EVENT} event's repayBorrowAmount is not the debt that is gone and its fee`)
    return repaid
  })

/** All of the collateral comes back where what would be left of it borrows nothing. */
const ended = (scene: RepayScene, repaid: EventFields): Verdict<EventFields> =>
  Either.gen(function* () {
    const { args, target, logs } = scene
    const asked = args.collateralCountToReturn
    const isAsked = repaid.collateralCountToReturn === asked
    const returned = isAsked ? asked : (yield* originalOf(scene, repaid)).collateral
    const says = { paidOffLoanId: is(args.loanId), collateralCountToReturn: is(returned) }
    yield* agreeing({ event: EVENT, says, shows: [] }, repaid)
    return yield* exactlyOne(logs, {
      emitter: target,
      event: "Transfer",
      about: { to: ZERO_ADDRESS, tokenId: args.loanId },
      says: {},
      shows: ["from", "tokenId"]
    })
  })

const continued = (scene: RepayScene, repaid: EventFields): Verdict<EventFields> =>
  Either.gen(function* () {
    const { args, target, logs } = scene
    const { createdAt } = yield* originalOf(scene, repaid)
    const isNew = isLoanOf(revnetOfLoan(args.loanId))
    const says = {
      paidOffLoanId: (loanId: unknown) => isNew(loanId) && loanId !== args.loanId,
      collateralCountToReturn: is(args.collateralCountToReturn),
      paidOffLoan: isWith({ createdAt })
    }
    yield* agreeing({ event: EVENT, says, shows: [] }, repaid)
    return yield* exactlyOne(logs, {
      emitter: target,
      event: "Transfer",
      about: { from: ZERO_ADDRESS, tokenId: repaid.paidOffLoanId },
      says: {},
      shows: ["to", "tokenId"]
    })
  })

const repayLoan = predicate({
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

export const prepareRepayEffects = planEffects({
  ...approvalEffects,
  "REVLoans.repayLoan(uint256,uint256,uint256,address,(uint256,uint160,uint48,uint48,bytes))": repayLoan
})

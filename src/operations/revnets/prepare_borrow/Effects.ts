/** A loan on burned tokens of a revnet, and its token for the holder. Free: its times and the fee that its revnet took. */

import { Either, Schema } from "effect"
import { LOANS } from "../../../effects/Contracts.ts"
import { agreeing, between, exactlyOne, is, isWith } from "../../../effects/Judgement.ts"
import { planEffects } from "../../../effects/PlanEffects.ts"
import { predicate } from "../../../effects/Predicate.ts"
import { isLoanOf } from "../../../protocol/LoanIds.ts"
import { ZERO_ADDRESS } from "../../../values/Scalars.ts"
import { setPermissions } from "../../shared/effects/SetPermissions.ts"

const borrow = predicate({
  name: "borrow",
  contractId: LOANS,
  signature: "borrowFrom(uint256,address,uint256,uint256,address,uint256,address)",
  args: Schema.Struct({
    revnetId: Schema.String,
    token: Schema.String,
    minBorrowAmount: Schema.String,
    collateralCount: Schema.String,
    beneficiary: Schema.String,
    prepaidFeePercent: Schema.String,
    holder: Schema.String
  }),
  judge: ({ args, account, target, logs }) =>
    Either.gen(function* () {
      const { revnetId, token, collateralCount, prepaidFeePercent } = args
      const borrowed = yield* exactlyOne(logs, {
        emitter: target,
        event: "Borrow",
        about: { revnetId, caller: account },
        says: {
          loanId: isLoanOf(revnetId),
          token: is(token),
          borrowAmount: between(args.minBorrowAmount),
          collateralCount: is(collateralCount),
          beneficiary: is(args.beneficiary),
          loan: isWith({ collateral: collateralCount, prepaidFeePercent, sourceToken: token })
        },
        shows: ["loanId", "revnetId", "loan", "borrowAmount", "sourceFeeAmount"]
      })
      const owed = { loan: isWith({ amount: borrowed.borrowAmount }) }
      yield* agreeing({ event: "Borrow", says: owed, shows: [] }, borrowed)
      const minted = yield* exactlyOne(logs, {
        emitter: target,
        event: "Transfer",
        about: { from: ZERO_ADDRESS, tokenId: borrowed.loanId },
        says: { to: is(args.holder) },
        shows: ["to", "tokenId"]
      })
      return [borrowed, minted]
    })
})

export const prepareBorrowEffects = planEffects({
  "JBPermissions.setPermissionsFor(address,(address,uint64,uint8[]))": setPermissions,
  "REVLoans.borrowFrom(uint256,address,uint256,uint256,address,uint256,address)": borrow
})

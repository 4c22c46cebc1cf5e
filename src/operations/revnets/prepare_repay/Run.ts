import { Effect, type Either } from "effect"
import { revnetOfLoan } from "../../../protocol/LoanIds.ts"
import type { PinnedSnapshot, ReadFailure } from "../../../protocol/PinnedContracts.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { type Address, Uint256 } from "../../../values/Scalars.ts"
import { definePlan } from "../../framework/DefinePlan.ts"
import { APPROVAL_WARNINGS, NATIVE_TOKEN, readAllowance } from "../../shared/Allowance.ts"
import { hasPermission } from "../../shared/context/Permissions.ts"
import { foretellRepaying } from "../Foretold.ts"
import {
  ExcessCollateralReturn,
  LoanExpired,
  MissingLoanPermission,
  PartialRepayQuoteUnavailable
} from "../LoanRefusals.ts"
import { loanAt } from "../LoanState.ts"
import type { Loan } from "../Schemas.ts"
import { prepareRepay } from "./Declaration.ts"
import { prepareRepayEffects } from "./Effects.ts"
import { repayCalls } from "./RepayCalls.ts"
import { type Repayment, repaymentAt } from "./Repayment.ts"

type Input = typeof prepareRepay.input.Type

const REPAY_LOAN = 39

const WARNINGS = ["What the maximum exceeds the cost of the repayment by returns to the account that repays."]
const NEW_LOAN =
  "A repayment in part ends this loan; what is left of it goes on under a new id, as a new token of the loan's owner."
const GROWING =
  "The fee grows with every second: a maximum just above the cost may be too little by the time the repayment is mined, which then reverts."
const MORE_COLLATERAL =
  "What would be left of the collateral borrows nothing, so that the whole debt is repaid and all of the collateral returns."

/** One round trip. */
const firstAnswers = (snapshot: PinnedSnapshot, { loanId, account, chainId }: Input) => {
  const revnetId = revnetOfLoan(loanId)
  return eachAtOnce({
    at: loanAt(snapshot, { chainId, loanId }),
    delay: snapshot.read("REVOwner", "cashOutDelayOf", [revnetId], Uint256),
    foretold: foretellRepaying(snapshot, { loanId, revnetId, account })
  })
}

const assertAllowed = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  account: Address,
  owner: Address,
  revnetId: string
) {
  if (account === owner) return
  if (!(yield* hasPermission(snapshot, account, owner, revnetId, REPAY_LOAN)))
    return yield* new MissingLoanPermission({
      detail: "The account may not repay the owner's loan.",
      context: { account, owner, permissionId: REPAY_LOAN }
    })
})

const spendingOf = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  { account, maxRepayBorrowAmount }: Input,
  token: Address
) {
  if (token === NATIVE_TOKEN) return undefined
  const spender = yield* snapshot.addressOf("REVLoans")
  const allowance = BigInt(yield* readAllowance(snapshot, token, account, spender))
  return { token, spender, needed: BigInt(maxRepayBorrowAmount), allowance }
})

/** The whole can be repaid whatever the delay of cash outs. */
const assertRepayable = Effect.fnUntraced(function* (
  { block }: PinnedSnapshot,
  { collateralCountToReturn }: Input,
  { collateral }: Loan,
  delay: Either.Either<string, ReadFailure>
) {
  const left = BigInt(collateral) - BigInt(collateralCountToReturn)
  if (left < 0n)
    return yield* new ExcessCollateralReturn({ context: { collateral, collateralCountToReturn } })
  if (left > 0n && BigInt(yield* delay) > block.timestamp) return yield* new PartialRepayQuoteUnavailable()
})

const warningsOf = (input: Input, { full, collateralReturned, sourceFee }: Repayment) => [
  ...WARNINGS,
  ...(sourceFee === "0" ? [] : [GROWING]),
  ...(full ? [] : [NEW_LOAN]),
  ...(full && collateralReturned !== input.collateralCountToReturn ? [MORE_COLLATERAL] : [])
]

export const runPrepareRepay = definePlan(prepareRepay, prepareRepayEffects, (input, snapshot) =>
  Effect.gen(function* () {
    const { chainId, loanId, account, beneficiary, maxRepayBorrowAmount } = input
    const { at, delay } = yield* firstAnswers(snapshot, input)
    const { loan, ...state } = yield* at
    const [owner, revnetId] = [yield* state.owner, yield* state.revnetId]
    if (yield* state.expired) return yield* new LoanExpired({ context: { chainId, loanId } })
    yield* assertAllowed(snapshot, account, owner, revnetId)
    yield* assertRepayable(snapshot, input, loan, delay)
    const spends = yield* spendingOf(snapshot, input, loan.sourceToken)
    const told = Effect.map(repaymentAt(snapshot, { ...input, loan, revnetId }), repayment => ({
      summary: {
        operation: "repay_loan" as const,
        ...{ chainId, loanId, revnetId, loan, owner, account, beneficiary, maxRepayBorrowAmount },
        ...repayment,
        evidence: [snapshot.evidence]
      },
      warnings: [...warningsOf(input, repayment), ...(spends === undefined ? [] : APPROVAL_WARNINGS)]
    }))
    return { calls: repayCalls(input, { sourceToken: loan.sourceToken, spends }), spends, told }
  })
)

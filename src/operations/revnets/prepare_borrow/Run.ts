import { Effect } from "effect"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { required } from "../../../values/Observed.ts"
import { definePlan } from "../../framework/DefinePlan.ts"
import { keptAwayBy } from "../../framework/OperationProblems.ts"
import { AT_ONCE } from "../../shared/context/Core.ts"
import { hasPermission } from "../../shared/context/Permissions.ts"
import { slippageFloor } from "../../shared/economics/Slippage.ts"
import { loanQuote } from "../LoanQuote.ts"
import {
  HolderBurnGrantRequired,
  InsufficientCollateral,
  MissingLoanPermission,
  NothingBorrowable
} from "../LoanRefusals.ts"
import type { LoanQuote } from "../quote_loan/Declaration.ts"
import { borrowCalls } from "./BorrowCalls.ts"
import { prepareBorrow } from "./Declaration.ts"
import { prepareBorrowEffects } from "./Effects.ts"

type Input = typeof prepareBorrow.input.Type

const OPEN_LOAN = 37

const GROSS_MINIMUM =
  "The minimum holds for the gross debt; what the beneficiary receives is less by the fees."
const REPLACING =
  "The first call replaces all permissions that the loans contract has of the holder for this project, and keeps them; what is granted meanwhile is lost."
const GRANT_FIRST = "The permission has to be confirmed before the loan can be simulated or sent."

const mayBorrow = (snapshot: PinnedSnapshot, { account, holder, project }: Input) =>
  account === holder
    ? Effect.succeed(true)
    : hasPermission(snapshot, account, holder, project.projectId, OPEN_LOAN)

const assertBorrowable = Effect.fnUntraced(function* (quote: LoanQuote, isAllowed: boolean) {
  const { collateralCount, holder, account } = quote
  const holderBalance = yield* required(quote.holderBalance, keptAwayBy(prepareBorrow))
  if (BigInt(holderBalance) < BigInt(collateralCount))
    return yield* new InsufficientCollateral({ context: { holderBalance, collateralCount } })
  if (quote.availableGrossDebt === "0") return yield* new NothingBorrowable()
  if (!isAllowed)
    return yield* new MissingLoanPermission({ context: { account, holder, permissionId: OPEN_LOAN } })
})

/** Undefined where nothing is to be granted; only the holder can grant. */
const grantFor = Effect.fnUntraced(function* ({ account, holder }: Input, quote: LoanQuote) {
  if (yield* required(quote.burnPermission.granted, keptAwayBy(prepareBorrow))) return undefined
  if (account !== holder) return yield* new HolderBurnGrantRequired({ context: { account, holder } })
  const proposal = yield* required(quote.burnPermission.proposal, keptAwayBy(prepareBorrow))
  return proposal === null ? undefined : { operator: proposal.operator, permissionIds: proposal.resulting }
})

export const runPrepareBorrow = definePlan(prepareBorrow, prepareBorrowEffects, (input, snapshot) =>
  Effect.gen(function* () {
    const { slippageBps } = input
    const [quote, isAllowed] = yield* Effect.all(
      [loanQuote(snapshot, input), mayBorrow(snapshot, input)],
      AT_ONCE
    )
    yield* assertBorrowable(quote, isAllowed)
    const grant = yield* grantFor(input, quote)
    const minimumBorrowAmount = String(slippageFloor(BigInt(quote.availableGrossDebt), slippageBps))
    const { warnings, ...basis } = quote
    return {
      calls: borrowCalls(input, { minimumBorrowAmount, grant }),
      told: Effect.succeed({
        summary: { ...basis, minimumBorrowAmount, slippageBps },
        warnings: [...warnings, GROSS_MINIMUM, ...(grant === undefined ? [] : [REPLACING, GRANT_FIRST])]
      })
    }
  })
)

/** What collateral of a revnet's tokens borrows at the block, and what of it is kept back. */
import { Effect, Either, Schema } from "effect"
import type { PinnedSnapshot, ReadFailure } from "../../protocol/PinnedContracts.ts"
import { AccountingContext } from "../../protocol/ProjectRecords.ts"
import { eachAtOnce } from "../../values/EachAtOnce.ts"
import { observed } from "../../values/Observed.ts"
import { Address, Uint256, ZERO_ADDRESS } from "../../values/Scalars.ts"
import { AT_ONCE } from "../shared/context/Core.ts"
import { loanFees, prepaidDuration } from "../shared/economics/Loans.ts"
import { readBorrowable } from "./Borrowable.ts"
import { foretellBorrowing } from "./Foretold.ts"
import { LEAST_PREPAID, MOST_PREPAID } from "./Inputs.ts"
import { burnPermission } from "./LoanPermission.ts"
import { InsufficientLoanSourceSurplus, InvalidLoanSource, UnsupportedLoanFees } from "./LoanRefusals.ts"
import type { LoanQuote, quoteLoan } from "./quote_loan/Declaration.ts"
import { verifyRevnet } from "./VerifyRevnet.ts"

type Input = typeof quoteLoan.input.Type

/** The percents of 1000 that the arithmetic of the fees rests on. */
const FEE_PERCENTS = [
  ["MIN_PREPAID_FEE_PERCENT", String(LEAST_PREPAID)],
  ["MAX_PREPAID_FEE_PERCENT", String(MOST_PREPAID)],
  ["REV_PREPAID_FEE_PERCENT", "10"]
] as const

const WARNINGS = [
  "The collateral is burned and minted again only when the loan is repaid.",
  "A loan that is not repaid within the liquidation duration loses its collateral for good.",
  "After the prepaid duration the cost of repaying grows with time.",
  "The debt is in the source token, whose price may move against that of the collateral."
]
const NOTHING_NOW = "The collateral borrows nothing now."

const assertFees = ({ read }: PinnedSnapshot) =>
  Effect.forEach(
    FEE_PERCENTS,
    ([getter, expected]) =>
      Effect.filterOrFail(
        read("REVLoans", getter, [], Uint256),
        actual => actual === expected,
        actual => new UnsupportedLoanFees({ context: { getter, expected, actual } })
      ),
    AT_ONCE
  )

/** REVOwner pays the loan out and REVLoans receives it; either one being exempt leaves out the fee. */
const feelessness = ({ addressOf, read }: PinnedSnapshot, projectId: string) =>
  Effect.gen(function* () {
    const [owner, loans] = [yield* addressOf("REVOwner"), yield* addressOf("REVLoans")]
    const exempt = yield* Effect.forEach(
      [owner, loans],
      who => read("JBFeelessAddresses", "isFeelessFor", [who, projectId, loans], Schema.Boolean),
      AT_ONCE
    )
    return exempt.includes(true)
  })

/** All that the project and the holder alone decide: the first layer. */
const terms = (snapshot: PinnedSnapshot, { project, holder, token, collateralCount }: Input) => {
  const { addressOf, read } = snapshot
  const { projectId } = project
  return {
    foretold: foretellBorrowing(snapshot, { projectId, token, collateralCount }),
    revnet: verifyRevnet(snapshot, projectId),
    context: read("JBMultiTerminal", "accountingContextForTokenOf", [projectId, token], AccountingContext),
    fees: assertFees(snapshot),
    liquidationDuration: read("REVLoans", "LOAN_LIQUIDATION_DURATION", [], Uint256),
    revId: read("REVLoans", "REV_ID", [], Uint256),
    feeless: feelessness(snapshot, projectId),
    balance: read("JBTokens", "totalBalanceOf", [holder, projectId], Uint256),
    permission: Effect.flatMap(addressOf("REVLoans"), loans =>
      burnPermission(snapshot, { holder, loans, projectId })
    )
  }
}

/** What the accounts of the source decide: the second layer. */
const amounts = (
  snapshot: PinnedSnapshot,
  { project: { projectId }, collateralCount, token }: Input,
  context: AccountingContext,
  revId: Either.Either<string, ReadFailure>
) => ({
  borrowable: readBorrowable(snapshot, projectId, collateralCount, context),
  surplus: snapshot.read(
    "JBMultiTerminal",
    "currentSurplusOf",
    [projectId, [token], context.decimals, context.currency],
    Uint256
  ),
  paysRev: Effect.flatMap(revId, id =>
    Effect.map(
      snapshot.read("JBDirectory", "primaryTerminalOf", [id, token], Address),
      terminal => terminal !== ZERO_ADDRESS
    )
  )
})

interface Charged {
  readonly gross: bigint
  readonly prepaidFeePercent: number
  readonly isFeeless: Either.Either<boolean, ReadFailure>
  readonly paysRev: Either.Either<boolean, ReadFailure>
}

/** A fee is unknown where it is not known whether it is taken; what follows from it is then unknown too. */
const charges = ({ gross, prepaidFeePercent, isFeeless, paysRev }: Charged) => {
  const percent = BigInt(prepaidFeePercent)
  const fees = (isFeeless: boolean, paysRev: boolean) =>
    loanFees({ gross, prepaidFeePercent: percent, isFeeless, paysRev })
  const all = Either.flatMap(isFeeless, exempt => Either.map(paysRev, pays => fees(exempt, pays)))
  return Effect.all({
    protocolFee: observed(Either.map(isFeeless, exempt => fees(exempt, false).protocol.toString())),
    revFee: observed(Either.map(paysRev, pays => fees(false, pays).rev.toString())),
    sourceFee: Effect.succeed(fees(false, false).source.toString()),
    liquidProceeds: observed(
      Either.map(all, ({ proceeds: { min, max } }) => ({ min: min.toString(), max: max.toString() }))
    )
  })
}

/** The accounts of the source at the block, where they can carry the loan. */
const borrowing = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  input: Input,
  context: AccountingContext,
  revId: Either.Either<string, ReadFailure>
) {
  const { borrowable, surplus, paysRev } = yield* eachAtOnce(amounts(snapshot, input, context, revId))
  const { borrowableNow, borrowableCapacity } = yield* borrowable
  const sourceTokenSurplus = yield* surplus
  if (BigInt(borrowableNow) > BigInt(sourceTokenSurplus))
    return yield* new InsufficientLoanSourceSurplus({ context: { borrowableNow, sourceTokenSurplus } })
  return { borrowableNow, borrowableCapacity, sourceTokenSurplus, paysRev }
})

/** For the preparation of the loan too; one round trip. */
export const loanQuote = Effect.fn("QuoteLoan.quote")(function* (snapshot: PinnedSnapshot, input: Input) {
  const { prepaidFeePercent, project, holder, token, collateralCount, beneficiary } = input
  const first = yield* eachAtOnce(terms(snapshot, input))
  const { loans } = yield* first.revnet
  const context = yield* first.context
  if (context.token === ZERO_ADDRESS) return yield* new InvalidLoanSource({ context: { token } })
  yield* first.fees
  const liquidationDuration = yield* first.liquidationDuration
  const { borrowableNow, borrowableCapacity, sourceTokenSurplus, paysRev } = yield* borrowing(
    snapshot,
    input,
    context,
    first.revId
  )
  const gross = BigInt(borrowableNow)
  const quote: LoanQuote = {
    operation: "borrow",
    ...{ project, loans, holder, account: input.account ?? null, token },
    tokenDecimals: context.decimals,
    accountingCurrency: context.currency,
    collateralCount,
    holderBalance: yield* observed(first.balance),
    availableGrossDebt: borrowableNow,
    grossEconomicCapacity: borrowableCapacity,
    sourceTokenSurplus,
    ...(yield* charges({ gross, prepaidFeePercent, isFeeless: first.feeless, paysRev })),
    prepaidFeePercent,
    prepaidDuration: prepaidDuration(BigInt(prepaidFeePercent), BigInt(liquidationDuration)).toString(),
    liquidationDuration,
    burnPermission: yield* first.permission,
    nftRecipient: holder,
    beneficiary,
    evidence: [snapshot.evidence],
    warnings: gross === 0n ? [NOTHING_NOW, ...WARNINGS] : WARNINGS
  }
  return quote
})

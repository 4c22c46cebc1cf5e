/** What loans need of answers to earlier questions, so that it costs no round trip of its own. */
import { Effect } from "effect"
import type { DependentCall } from "../../protocol/DependentCalls.ts"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import type { AccountingContext } from "../../protocol/ProjectRecords.ts"
import type { Address } from "../../values/Scalars.ts"
import type { Loan } from "./Schemas.ts"

const CONTEXT = "accountingContextForTokenOf(uint256,address)"
const BORROWABLE = "borrowableAmountFrom(uint256,uint256,uint256,uint256)"
const SOURCE_FEE = "determineSourceFeeAmount((uint112,uint112,uint48,uint16,uint32,address),uint256)"
const [CONTEXT_DECIMALS, CONTEXT_CURRENCY] = [1, 2]

interface Borrowing {
  readonly projectId: string
  readonly token: Address
  readonly collateralCount: string
}

/** The account of the source, then what is borrowable in its units and what it holds; whether REV has a terminal. */
export const foretellBorrowing = Effect.fnUntraced(function* (
  { addressOf, foresee }: PinnedSnapshot,
  { projectId, token, collateralCount }: Borrowing
) {
  const [loans, terminal] = [yield* addressOf("REVLoans"), yield* addressOf("JBMultiTerminal")]
  const directory = yield* addressOf("JBDirectory")
  const units = [
    { call: 0, index: CONTEXT_DECIMALS },
    { call: 0, index: CONTEXT_CURRENCY }
  ]
  const oneToken = [1n, token]
  const beforeTokens = 32n * 4n
  const calls: ReadonlyArray<DependentCall> = [
    { to: terminal, signature: CONTEXT, words: [projectId, token] },
    {
      to: loans,
      signature: BORROWABLE,
      words: [projectId, collateralCount, ...units]
    },
    {
      to: terminal,
      signature: "currentSurplusOf(uint256,address[],uint256,uint256)",
      words: [projectId, beforeTokens, ...units, ...oneToken]
    },
    { to: loans, signature: "REV_ID()" },
    {
      to: directory,
      signature: "primaryTerminalOf(uint256,address)",
      words: [{ call: 3, index: 0 }, token]
    }
  ]
  yield* foresee(calls)
})

interface Repaying {
  readonly loanId: string
  readonly revnetId: string
  readonly account: Address
}

const LOAN_MEMBERS = 6
const [LOAN_AMOUNT, LOAN_TOKEN] = [0, 5]
const REPAY_LOAN = 39n
const YES = 1n

/** The account and the allowance of the loan's token, what the whole debt costs, and whether the account may repay it. */
export const foretellRepaying = Effect.fnUntraced(function* (
  { addressOf, foresee }: PinnedSnapshot,
  { loanId, revnetId, account }: Repaying
) {
  const [loans, terminal] = [yield* addressOf("REVLoans"), yield* addressOf("JBMultiTerminal")]
  const permissions = yield* addressOf("JBPermissions")
  const token = { call: 0, index: LOAN_TOKEN }
  const loan = Array.from({ length: LOAN_MEMBERS }, (_, index) => ({ call: 0, index }))
  const calls: ReadonlyArray<DependentCall> = [
    { to: loans, signature: "loanOf(uint256)", words: [loanId] },
    { to: loans, signature: "ownerOf(uint256)", words: [loanId] },
    { to: terminal, signature: CONTEXT, words: [revnetId, token] },
    { to: token, signature: "allowance(address,address)", words: [account, loans] },
    {
      to: loans,
      signature: SOURCE_FEE,
      words: [...loan, { call: 0, index: LOAN_AMOUNT }]
    },
    {
      to: permissions,
      signature: "hasPermission(address,address,uint256,uint256,bool,bool)",
      words: [account, { call: 1, index: 0 }, revnetId, REPAY_LOAN, YES, YES]
    }
  ]
  yield* foresee(calls)
})

interface Part {
  readonly revnetId: string
  readonly loan: Loan
  /** Of the collateral. */
  readonly left: bigint
  readonly context: AccountingContext
}

const CAPACITY = 1

/** What the collateral that is left would borrow anew, and what repaying the rest of the debt costs. */
export const foretellPart = Effect.fnUntraced(function* (
  { addressOf, foresee }: PinnedSnapshot,
  { revnetId, loan, left, context: { decimals, currency } }: Part
) {
  const loans = yield* addressOf("REVLoans")
  const { amount, collateral, createdAt, prepaidFeePercent, prepaidDuration, sourceToken } = loan
  const principal = { call: 0, index: CAPACITY, minuend: BigInt(amount) }
  const members = [amount, collateral, createdAt, prepaidFeePercent, prepaidDuration, sourceToken]
  yield* foresee([
    { to: loans, signature: BORROWABLE, words: [revnetId, left, decimals, currency] },
    { to: loans, signature: SOURCE_FEE, words: [...members, principal] }
  ])
})

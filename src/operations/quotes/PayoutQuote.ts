/** What sending payouts would pay out now, for its quote and for its plan. */
import { Effect, Schema } from "effect"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { type AccountingContext, type RulesetWithMetadata, Split } from "../../protocol/ProjectRecords.ts"
import { observed } from "../../values/Observed.ts"
import { type Address, Uint256 } from "../../values/Scalars.ts"
import { EACH_AT_ONCE, readActiveCore } from "../context/Core.ts"
import { payoutsOf } from "../economics/Payouts.ts"
import { slippageFloor } from "../economics/Slippage.ts"
import type { quotePayout } from "./Declarations.ts"
import { simulated } from "./Previews.ts"
import { NothingToPayOut } from "./refusals.ts"
import { accountIn, quotedTerminal } from "./TerminalAccount.ts"

export type PayoutInput = typeof quotePayout.input.Type
type PayoutQuote = typeof quotePayout.output.Type

const SIMULATION_GAS = 10_000_000n

const WARNINGS = [
  "A split that fails does not revert the payout: its part stays with the project.",
  "The protocol's fee is taken from what leaves the protocol, not from what reaches projects of the same terminal or feeless addresses."
]
const OWNER_ONLY = "Only the project's owner, or who has permission 5 of it, may send these payouts."

const simulatedPayout = (snapshot: PinnedSnapshot, input: PayoutInput) => {
  const { project, token, amount, currency, account } = input
  const args = [project.projectId, token, amount, String(currency), "0"]
  const call = { contract: "JBMultiTerminal", function: "sendPayoutsOf", args, from: account }
  return simulated(snapshot.simulate({ ...call, gas: SIMULATION_GAS }, Uint256))
}

/** An amount in the account's own currency is exact; another one moves with its price. */
const minimumOf = (paidOut: bigint, { currency, slippageBps }: PayoutInput, context: AccountingContext) =>
  String(currency) === context.currency ? paidOut : slippageFloor(paidOut, slippageBps)

const distributionOf = (
  { read }: PinnedSnapshot,
  { project, token }: PayoutInput,
  rulesetId: string,
  total: bigint
) =>
  Effect.map(
    read(
      "JBSplits",
      "splitsOf",
      [project.projectId, rulesetId, BigInt(token).toString()],
      Schema.Array(Split)
    ),
    splits => {
      const shares = splits.map(({ percent }) => ({ percent: BigInt(percent), isFeeless: false }))
      const { recipients, owner, fee } = payoutsOf(total, shares, false)
      const shown = (paid?: { readonly amount: bigint; readonly net: bigint }) => ({
        amount: String(paid?.amount ?? 0n),
        netAfterFee: String(paid?.net ?? 0n)
      })
      return {
        splits: splits.map((split, index) => ({ split, ...shown(recipients[index]) })),
        owner: shown(owner),
        fee: String(fee)
      }
    }
  )

export interface Sent {
  readonly terminal: Address
  readonly current: RulesetWithMetadata
  readonly context: AccountingContext
  readonly amountPaidOut: string
  readonly minimumTokensPaidOut: string
}

const firstAnswers = (snapshot: PinnedSnapshot, input: PayoutInput, terminal: Address) => {
  const { projectId } = input.project
  return Effect.all(
    {
      core: readActiveCore(snapshot, projectId),
      context: accountIn(snapshot, projectId, terminal, input.token),
      paidOut: simulatedPayout(snapshot, input)
    },
    EACH_AT_ONCE
  )
}

const quoteOf = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  input: PayoutInput,
  { terminal, current, context, amountPaidOut, minimumTokensPaidOut }: Sent
) {
  const { project, account, token, amount, currency, slippageBps } = input
  const { ownerMustSendPayouts } = current.metadata
  const rulesetId = current.ruleset.id
  const distribution = distributionOf(snapshot, input, rulesetId, BigInt(amountPaidOut))
  const quote: PayoutQuote = {
    operation: "payout",
    project,
    account,
    terminal,
    token,
    tokenDecimals: context.decimals,
    amount,
    currency,
    amountPaidOut,
    minimumTokensPaidOut,
    ownerMustSendPayouts,
    distribution: yield* observed(distribution),
    rulesetId,
    slippageBps,
    evidence: [snapshot.evidence],
    warnings: [...WARNINGS, ...(ownerMustSendPayouts ? [OWNER_ONLY] : [])]
  }
  return quote
})

/** One round trip, and a second one for the quote's splits. */
export const payoutAt = Effect.fn("Quotes.payout")(function* (snapshot: PinnedSnapshot, input: PayoutInput) {
  const terminal = yield* quotedTerminal(snapshot, input.terminal)
  const first = yield* firstAnswers(snapshot, input, terminal)
  const [{ current }, context] = [yield* first.core, yield* first.context]
  const amountPaidOut = yield* first.paidOut
  const paidOut = BigInt(amountPaidOut)
  if (paidOut === 0n) return yield* new NothingToPayOut()
  const minimumTokensPaidOut = String(minimumOf(paidOut, input, context))
  const sent: Sent = { terminal, current, context, amountPaidOut, minimumTokensPaidOut }
  return { ...sent, quote: quoteOf(snapshot, input, sent) }
})

export const quotePayoutAt = (snapshot: PinnedSnapshot, input: PayoutInput) =>
  Effect.flatMap(payoutAt(snapshot, input), ({ quote }) => quote)

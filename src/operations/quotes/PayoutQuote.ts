/** What sending payouts would pay out now, for its quote and for its plan. */
import { Effect } from "effect"
import { readFrom } from "../../projects/Observations.ts"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import type { AccountingContext, RulesetWithMetadata } from "../../protocol/ProjectRecords.ts"
import { type Observed, observed } from "../../values/Observed.ts"
import { Address, Uint256 } from "../../values/Scalars.ts"
import { EACH_AT_ONCE, readActiveCore } from "../context/Core.ts"
import { slippageFloor } from "../economics/Slippage.ts"
import type { quotePayout } from "./Declarations.ts"
import { distributionOf, foreseeSplits } from "./PayoutDistribution.ts"
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

export interface Sent {
  readonly terminal: Address
  readonly current: RulesetWithMetadata
  readonly context: AccountingContext
  readonly amountPaidOut: string
  readonly minimumTokensPaidOut: string
  readonly owner: Observed<Address>
}

const firstAnswers = (snapshot: PinnedSnapshot, input: PayoutInput, terminal: Address) => {
  const { projectId } = input.project
  return Effect.all(
    {
      core: readActiveCore(snapshot, projectId),
      context: accountIn(snapshot, projectId, terminal, input.token),
      paidOut: simulatedPayout(snapshot, input),
      owner: observed(snapshot.read("JBProjects", "ownerOf", [projectId], Address)),
      ahead: foreseeSplits(snapshot, input)
    },
    EACH_AT_ONCE
  )
}

const quoteOf = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  input: PayoutInput,
  { terminal, current, context, amountPaidOut, minimumTokensPaidOut, owner }: Sent
) {
  const { project, account, token, amount, currency, slippageBps } = input
  const { ownerMustSendPayouts } = current.metadata
  const rulesetId = current.ruleset.id
  const division = { rulesetId, total: BigInt(amountPaidOut) }
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
    distribution: yield* readFrom(owner, known => distributionOf(snapshot, input, known, division)),
    rulesetId,
    slippageBps,
    evidence: [snapshot.evidence],
    warnings: [...WARNINGS, ...(ownerMustSendPayouts ? [OWNER_ONLY] : [])]
  }
  return quote
})

/** One round trip, and a second one for whom the quote's splits reach. */
export const payoutAt = Effect.fn("Quotes.payout")(function* (snapshot: PinnedSnapshot, input: PayoutInput) {
  const terminal = yield* quotedTerminal(snapshot, input.terminal)
  const first = yield* firstAnswers(snapshot, input, terminal)
  const [{ current }, context] = [yield* first.core, yield* first.context]
  const amountPaidOut = yield* first.paidOut
  const paidOut = BigInt(amountPaidOut)
  if (paidOut === 0n) return yield* new NothingToPayOut()
  const minimumTokensPaidOut = String(minimumOf(paidOut, input, context))
  const owner = yield* first.owner
  const sent: Sent = { terminal, current, context, amountPaidOut, minimumTokensPaidOut, owner }
  return { ...sent, quote: quoteOf(snapshot, input, sent) }
})

export const quotePayoutAt = (snapshot: PinnedSnapshot, input: PayoutInput) =>
  Effect.flatMap(payoutAt(snapshot, input), ({ quote }) => quote)

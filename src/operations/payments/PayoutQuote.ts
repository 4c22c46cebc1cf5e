/** What sending payouts would pay out now, for its quote and for its plan. */
import { Effect } from "effect"
import { readFrom } from "../../projects/Observations.ts"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import type { AccountingContext, RulesetWithMetadata } from "../../protocol/ProjectRecords.ts"
import { eachAtOnce } from "../../values/EachAtOnce.ts"
import { type Observed, observed } from "../../values/Observed.ts"
import { Address, Uint256 } from "../../values/Scalars.ts"
import { readActiveCore } from "../shared/context/Core.ts"
import { slippageFloor } from "../shared/economics/Slippage.ts"
import { distributionOf, foreseeSplits } from "./PayoutDistribution.ts"
import {
  cutWarning,
  isCut,
  limitCalls,
  nothingToPayOut,
  type PayoutLimit,
  readPayoutLimit
} from "./PayoutLimit.ts"
import { payoutWarnings } from "./PayoutWarnings.ts"
import { simulated } from "./Previews.ts"
import type { quotePayout } from "./quote_payout/Declaration.ts"
import { accountIn, quotedTerminal } from "./TerminalAccount.ts"

export type PayoutInput = typeof quotePayout.input.Type
type PayoutQuote = typeof quotePayout.output.Type

const SIMULATION_GAS = 10_000_000n

const simulatedPayout = (snapshot: PinnedSnapshot, input: PayoutInput) => {
  const { project, token, amount, currency, account } = input
  const args = [project.projectId, token, amount, String(currency), "0"] as const
  const call = { contract: "JBMultiTerminal", function: "sendPayoutsOf", args, from: account } as const
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
  readonly limit: Observed<PayoutLimit>
  /** Undefined where that cannot be known. */
  readonly isCut: boolean | undefined
  readonly owner: Observed<Address>
}

const firstAnswers = (snapshot: PinnedSnapshot, input: PayoutInput, terminal: Address) => {
  const { projectId } = input.project
  return eachAtOnce({
    core: readActiveCore(snapshot, projectId),
    context: accountIn(snapshot, projectId, terminal, input.token),
    paidOut: simulatedPayout(snapshot, input),
    owner: observed(snapshot.read("JBProjects", "ownerOf", [projectId], Address)),
    ahead: foreseeSplits(snapshot, input, limitCalls(snapshot, input, terminal))
  })
}

const quoteOf = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  input: PayoutInput,
  { terminal, current, context, amountPaidOut, minimumTokensPaidOut, limit, isCut: cut, owner }: Sent
) {
  const { project, account, token, amount, currency, slippageBps } = input
  const { ownerMustSendPayouts } = current.metadata
  const division = { current, total: BigInt(amountPaidOut) }
  const paying = { project, account, token, terminal }
  const distribution = yield* readFrom(owner, known => distributionOf(snapshot, paying, known, division))
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
    payoutLimit: limit,
    ownerMustSendPayouts,
    distribution,
    rulesetId: current.ruleset.id,
    slippageBps,
    evidence: [snapshot.evidence],
    warnings: [
      ...(cut === true ? [cutWarning(input, amountPaidOut, limit)] : []),
      ...payoutWarnings(distribution, ownerMustSendPayouts)
    ]
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
  const limit = yield* observed(readPayoutLimit(snapshot, input, terminal, current.ruleset))
  if (paidOut === 0n) return yield* nothingToPayOut(input, limit)
  const sent: Sent = {
    terminal,
    current,
    context,
    amountPaidOut,
    minimumTokensPaidOut: String(minimumOf(paidOut, input, context)),
    limit,
    isCut: isCut(input, paidOut, limit, context),
    owner: yield* first.owner
  }
  return { ...sent, quote: quoteOf(snapshot, input, sent) }
})

export const quotePayoutAt = (snapshot: PinnedSnapshot, input: PayoutInput) =>
  Effect.flatMap(payoutAt(snapshot, input), ({ quote }) => quote)

/** What a cash out would return now, for its quote and for its plan. */
import { Effect, Schema } from "effect"
import { UnsupportedConfiguration } from "../../projects/refusals.ts"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { Address, type Hex, Uint256 } from "../../values/Scalars.ts"
import { AT_ONCE, EACH_AT_ONCE, readActiveCore } from "../context/Core.ts"
import { foreseeHooks, type HookUse, inspectHooks } from "../context/DataHooks.ts"
import { cashOutFee } from "../economics/CashOut.ts"
import { slippageFloor } from "../economics/Slippage.ts"
import { type Buyback, buybackOf, foreseenSwap, swapMinimum } from "./CashOutRoute.ts"
import type { quoteCashOut } from "./Declarations.ts"
import { CashOutPreview, requireCurrent, simulated } from "./Previews.ts"
import { CashOutRouteRequiresRequote, NothingToReclaim } from "./refusals.ts"
import { accountIn, quotedTerminal } from "./TerminalAccount.ts"

export type CashOutInput = typeof quoteCashOut.input.Type
type CashOutQuote = typeof quoteCashOut.output.Type

const NO_METADATA: Hex = "0x"
const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"
const USE: HookUse = "cashOut"

const ALWAYS = [
  "The quote is not compared with selling the project's token on a market.",
  "Neither the holder's balance nor a permission to burn its tokens is proved; simulate the plan's step."
]
const REVNET = "The revnet's fee is inside the preview already; do not take it off the expected return again."
const AMM =
  "The swap is held to its minimum by the buyback metadata alone; ask for a new quote when the route may have changed."
const ERC20 = "Transfer taxes and rebases of the reclaimed token are not modelled."

const previewOf = (snapshot: PinnedSnapshot, input: CashOutInput, metadata: Hex) => {
  const { project, holder, cashOutCount, tokenToReclaim, beneficiary, account = holder } = input
  const args = [holder, project.projectId, cashOutCount, tokenToReclaim, beneficiary, metadata]
  const call = { contract: "JBMultiTerminal", function: "previewCashOutFrom", args, from: account }
  return simulated(snapshot.simulate(call, CashOutPreview))
}

/** The addresses contract was asked before it was known to be the terminal's. */
const isFeelessIn = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, input: CashOutInput) {
  const { project, holder, beneficiary, account = holder } = input
  const args = [beneficiary, project.projectId, account]
  const [kept, isFeeless] = yield* Effect.all(
    [
      snapshot.read("JBMultiTerminal", "FEELESS_ADDRESSES", [], Address),
      snapshot.read("JBFeelessAddresses", "isFeelessFor", args, Schema.Boolean)
    ],
    AT_ONCE
  )
  if (kept === (yield* snapshot.addressOf("JBFeelessAddresses"))) return isFeeless
  return yield* new UnsupportedConfiguration({ context: { feelessAddresses: kept } })
})

const firstAnswers = (snapshot: PinnedSnapshot, input: CashOutInput, terminal: Address) => {
  const { projectId } = input.project
  return Effect.all(
    {
      core: readActiveCore(snapshot, projectId),
      context: accountIn(snapshot, projectId, terminal, input.tokenToReclaim),
      isFeeless: isFeelessIn(snapshot, input),
      preview: previewOf(snapshot, input, NO_METADATA),
      foreseen: foreseeHooks(snapshot, projectId)
    },
    EACH_AT_ONCE
  )
}

const feeFreeSurplusOf = ({ read }: PinnedSnapshot, { project, tokenToReclaim }: CashOutInput) =>
  read("JBMultiTerminal", "feeFreeSurplusOf", [project.projectId, tokenToReclaim], Uint256)

interface Outcome {
  readonly route: CashOutQuote["route"]
  readonly expected: bigint
  readonly minimum: bigint
  readonly terminalMinimum: bigint
  readonly metadata: Hex
}

interface Treasury {
  readonly gross: bigint
  readonly net: bigint
}

const fromTreasury = ({ gross, net }: Treasury, slippageBps: number) => {
  if (gross === 0n) return Effect.fail(new NothingToReclaim())
  const minimum = slippageFloor(net, slippageBps)
  const outcome: Outcome = {
    route: "treasury",
    expected: net,
    minimum,
    terminalMinimum: minimum,
    metadata: NO_METADATA
  }
  return Effect.succeed(outcome)
}

/** What the swap gives goes to the beneficiary directly, so that the terminal itself returns nothing. */
const bySwap = (buyback: Buyback, again: Buyback | undefined, metadata: Hex | undefined, bps: number) => {
  const minimum = swapMinimum(buyback, bps)
  const holds = again?.spec.hook === buyback.spec.hook
  if (minimum === undefined || metadata === undefined || !holds)
    return Effect.fail(new CashOutRouteRequiresRequote())
  const expected = buyback.words.minimumSwapAmountOut
  const outcome: Outcome = { route: "amm", expected, minimum, terminalMinimum: 0n, metadata }
  return Effect.succeed(outcome)
}

const warningsOf = (route: Outcome["route"], isRevnet: boolean, token: Address) => [
  ...ALWAYS,
  ...(isRevnet ? [REVNET] : []),
  ...(route === "amm" ? [AMM] : []),
  ...(token === NATIVE_TOKEN ? [] : [ERC20])
]

const executable = ({ words }: Buyback) => ({
  minimumSwapAmountOut: String(words.minimumSwapAmountOut),
  cashOutCountToSell: String(words.cashOutCountToSell),
  netDirectCashOutAmount: String(words.netDirectCashOutAmount)
})

/** Two round trips. */
const inspectCashOut = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, input: CashOutInput) {
  const terminal = yield* quotedTerminal(snapshot, input.terminal)
  const first = yield* firstAnswers(snapshot, input, terminal)
  const { current } = yield* first.core
  const context = yield* first.context
  const preview = yield* first.preview
  const isFeeless = yield* first.isFeeless
  const foreseen = yield* first.foreseen
  yield* requireCurrent(preview.ruleset, current.ruleset)
  const recorded = snapshot.deploymentsOf("JBBuybackHook").map(({ address }) => address)
  const metadata = foreseenSwap(preview, hook => recorded.includes(hook), input.slippageBps)
  const owesForFeeFree = !isFeeless && preview.cashOutTaxRate === "0"
  const second = yield* Effect.all(
    {
      hooks: inspectHooks(snapshot, input.project.projectId, USE, current, foreseen),
      feeFree: owesForFeeFree ? feeFreeSurplusOf(snapshot, input) : Effect.succeed("0"),
      repeated: metadata === undefined ? Effect.succeed(undefined) : previewOf(snapshot, input, metadata)
    },
    AT_ONCE
  )
  if (second.repeated !== undefined) yield* requireCurrent(second.repeated.ruleset, current.ruleset)
  return { terminal, context, preview, isFeeless, metadata, rulesetId: current.ruleset.id, ...second }
})

type Inspected = Effect.Effect.Success<ReturnType<typeof inspectCashOut>>

const treasuryOf = ({ preview, isFeeless, feeFree }: Inspected) => {
  const [gross, taxRate] = [BigInt(preview.reclaimAmount), BigInt(preview.cashOutTaxRate)]
  const fee = cashOutFee({ gross, taxRate, isFeeless, feeFreeSurplus: BigInt(feeFree) })
  return { gross, fee, net: gross - fee }
}

const outcomeOf = Effect.fnUntraced(function* (inspected: Inspected, slippageBps: number) {
  const { preview, repeated, hooks, metadata } = inspected
  const treasury = treasuryOf(inspected)
  const buyback = yield* buybackOf(preview, hooks)
  const again = repeated === undefined ? undefined : yield* buybackOf(repeated, hooks)
  const outcome = yield* buyback === undefined
    ? fromTreasury(treasury, slippageBps)
    : bySwap(buyback, again, metadata, slippageBps)
  return { treasury, buyback, outcome }
})

type Judged = Effect.Effect.Success<ReturnType<typeof outcomeOf>>

const amountsOf = ({ treasury, outcome, buyback }: Judged) => ({
  route: outcome.route,
  quoteBasis:
    outcome.route === "amm"
      ? ("buyback-hook-indicative-output" as const)
      : ("terminal-preview-after-protocol-fee" as const),
  expectedReturn: String(outcome.expected),
  minimumReturn: String(outcome.minimum),
  terminalMinimum: String(outcome.terminalMinimum),
  metadata: outcome.metadata,
  treasuryGross: String(treasury.gross),
  treasuryProtocolFee: String(treasury.fee),
  treasuryNet: String(treasury.net),
  ...(buyback === undefined ? {} : { buybackExecutableQuote: executable(buyback) })
})

export const quoteCashOutAt = Effect.fn("Quotes.cashOut")(function* (
  snapshot: PinnedSnapshot,
  input: CashOutInput
) {
  const { project, holder, account = holder, beneficiary, slippageBps, tokenToReclaim, cashOutCount } = input
  const inspected = yield* inspectCashOut(snapshot, input)
  const { terminal, context, preview, repeated, isFeeless, hooks, rulesetId } = inspected
  const judged = yield* outcomeOf(inspected, slippageBps)
  const isRevnet = hooks.chain.some(({ kind }) => kind === "revnet")
  const quote: CashOutQuote = {
    operation: "cash_out",
    project,
    holder,
    account,
    beneficiary,
    terminal,
    tokenToReclaim,
    tokenDecimals: context.decimals,
    accountingCurrency: context.currency,
    cashOutCount,
    projectTokenDecimals: 18,
    ...amountsOf(judged),
    cashOutTaxRate: preview.cashOutTaxRate,
    beneficiaryIsFeeless: isFeeless,
    hooks: (repeated ?? preview).hookSpecifications,
    rulesetId,
    slippageBps,
    evidence: [snapshot.evidence],
    warnings: warningsOf(judged.outcome.route, isRevnet, tokenToReclaim)
  }
  return quote
})

/** What a cash out would return now, for its quote and for its plan. */
import { Effect, Schema } from "effect"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import type { RulesetWithMetadata } from "../../protocol/ProjectRecords.ts"
import { eachAtOnce } from "../../values/EachAtOnce.ts"
import { type Address, type Hex, Uint256 } from "../../values/Scalars.ts"
import { AT_ONCE, readActiveCore } from "../shared/context/Core.ts"
import { foreseeHooks, type HookUse, inspectHooks } from "../shared/context/DataHooks.ts"
import { recordedAddresses } from "../shared/context/Recorded.ts"
import { MAX_CASH_OUT_TAX_RATE } from "../shared/economics/Arithmetic.ts"
import { cashOutFee } from "../shared/economics/CashOut.ts"
import { slippageFloor } from "../shared/economics/Slippage.ts"
import { type Buyback, foreseenBuyback, requireKnown, swapMetadata, swapMinimum } from "./CashOutRoute.ts"
import { CashOutPreview, requireCurrent, simulated } from "./Previews.ts"
import type { quoteCashOut } from "./quote_cash_out/Declaration.ts"
import { CashOutRouteRequiresRequote, NothingToReclaim } from "./refusals.ts"
import { accountIn, quotedTerminal, requireFeelessAddresses } from "./TerminalAccount.ts"

export type CashOutInput = typeof quoteCashOut.input.Type
type CashOutQuote = typeof quoteCashOut.output.Type

const NO_METADATA: Hex = "0x"
const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"
const USE: HookUse = "cashOut"

const NO_MARKET = "The quote is not compared with selling the project's token on a market."
export const UNPROVED =
  "Neither the holder's balance nor a permission to burn its tokens is proved; simulate the plan's step."
const REVNET = "The revnet's fee is inside the preview already; do not take it off the expected return again."
const AMM =
  "The swap is held to its minimum by the buyback metadata alone: where the project has another hook or none when the call is mined, no minimum protects what the treasury returns. Ask for a new quote when the route may have changed."
const ERC20 = "Transfer taxes and rebases of the reclaimed token are not modelled."

const previewOf = (snapshot: PinnedSnapshot, input: CashOutInput, metadata: Hex) => {
  const { project, holder, cashOutCount, tokenToReclaim, beneficiary, account = holder } = input
  const args = [holder, project.projectId, cashOutCount, tokenToReclaim, beneficiary, metadata] as const
  const call = { contract: "JBMultiTerminal", function: "previewCashOutFrom", args, from: account } as const
  return simulated(snapshot.simulate(call, CashOutPreview))
}

const isFeelessIn = (snapshot: PinnedSnapshot, input: CashOutInput) => {
  const { project, holder, beneficiary, account = holder } = input
  const args = [beneficiary, project.projectId, account] as const
  const asked = snapshot.read("JBFeelessAddresses", "isFeelessFor", args, Schema.Boolean)
  const both = Effect.all({ asked, kept: requireFeelessAddresses(snapshot) }, AT_ONCE)
  return Effect.map(both, ({ asked: isFeeless }) => isFeeless)
}

const firstAnswers = (snapshot: PinnedSnapshot, input: CashOutInput, terminal: Address) => {
  const { projectId } = input.project
  return eachAtOnce({
    core: readActiveCore(snapshot, projectId),
    context: accountIn(snapshot, projectId, terminal, input.tokenToReclaim),
    isFeeless: isFeelessIn(snapshot, input),
    feeFree: feeFreeSurplusOf(snapshot, input),
    preview: previewOf(snapshot, input, NO_METADATA),
    foreseen: foreseeHooks(snapshot, projectId)
  })
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
  readonly fee: bigint
  readonly net: bigint
}

/** While a swap acts the terminal previews that it returns nothing; what it would return stands in the hook's words. */
const besideSwap = ({ words }: Buyback): Treasury => ({
  gross: 0n,
  fee: 0n,
  net: words.netDirectCashOutAmount
})

const FULL_TAX = String(MAX_CASH_OUT_TAX_RATE)

const nothingToReclaim = ({ cashOutTaxRate }: CashOutPreview) =>
  new NothingToReclaim({
    detail:
      cashOutTaxRate === FULL_TAX
        ? "A cash-out tax of 100 % leaves all of the surplus with the project."
        : "Above what its payout limits keep, the project has nothing, or too little for so few tokens to be worth the smallest unit.",
    context: { cashOutTaxRate }
  })

const fromTreasury = ({ gross, net }: Treasury, preview: CashOutPreview, slippageBps: number) => {
  if (gross === 0n) return Effect.fail(nothingToReclaim(preview))
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
const bySwap = (buyback: Buyback, slippageBps: number) => {
  const minimum = swapMinimum(buyback, slippageBps)
  if (minimum === undefined) return Effect.fail(new CashOutRouteRequiresRequote())
  const outcome: Outcome = {
    route: "amm",
    expected: buyback.words.minimumSwapAmountOut,
    minimum,
    terminalMinimum: 0n,
    metadata: swapMetadata(buyback.spec.hook, minimum)
  }
  return Effect.succeed(outcome)
}

const warningsOf = (route: Outcome["route"], isRevnet: boolean, token: Address) => [
  NO_MARKET,
  UNPROVED,
  ...(isRevnet ? [REVNET] : []),
  ...(route === "amm" ? [AMM] : []),
  ...(token === NATIVE_TOKEN ? [] : [ERC20])
]

const executable = ({ words }: Buyback) => ({
  minimumSwapAmountOut: String(words.minimumSwapAmountOut),
  cashOutCountToSell: String(words.cashOutCountToSell),
  netDirectCashOutAmount: String(words.netDirectCashOutAmount)
})

const treasuryOf = (preview: CashOutPreview, isFeeless: boolean, feeFree: string): Treasury => {
  const [gross, taxRate] = [BigInt(preview.reclaimAmount), BigInt(preview.cashOutTaxRate)]
  const fee = cashOutFee({ gross, taxRate, isFeeless, feeFreeSurplus: BigInt(feeFree) })
  return { gross, fee, net: gross - fee }
}

interface Foreseen {
  readonly preview: CashOutPreview
  readonly current: RulesetWithMetadata
  readonly foreseenHooks: Effect.Effect.Success<ReturnType<typeof foreseeHooks>>
  readonly buyback: Buyback | undefined
}

/** One round trip. */
const knownHooks = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  { project }: CashOutInput,
  { preview, current, foreseenHooks, buyback }: Foreseen
) {
  const hooks = yield* inspectHooks(snapshot, project.projectId, USE, current, foreseenHooks)
  yield* requireKnown(preview, hooks, buyback?.spec)
  return hooks
})

/** One round trip; a quote that comes to nothing is refused for a hook that cannot be judged first. */
const previewed = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, input: CashOutInput) {
  const terminal = yield* quotedTerminal(snapshot, input.terminal)
  const first = yield* firstAnswers(snapshot, input, terminal)
  const { current } = yield* first.core
  const context = yield* first.context
  const preview = yield* first.preview
  const isFeeless = yield* first.isFeeless
  const foreseenHooks = yield* first.foreseen
  yield* requireCurrent(preview.ruleset, current.ruleset)
  const owesForFeeFree = !isFeeless && preview.cashOutTaxRate === "0"
  const feeFree = owesForFeeFree ? yield* first.feeFree : "0"
  const recorded = recordedAddresses(snapshot, "JBBuybackHook")
  const buyback = foreseenBuyback(preview, recorded)
  const treasury = buyback === undefined ? treasuryOf(preview, isFeeless, feeFree) : besideSwap(buyback)
  const seen = { terminal, context, preview, isFeeless, foreseenHooks, current, treasury, buyback }
  const chosen: Effect.Effect<Outcome, NothingToReclaim | CashOutRouteRequiresRequote> =
    buyback === undefined
      ? fromTreasury(treasury, preview, input.slippageBps)
      : bySwap(buyback, input.slippageBps)
  return { ...seen, outcome: yield* Effect.tapError(chosen, () => knownHooks(snapshot, input, seen)) }
})

type Previewed = Effect.Effect.Success<ReturnType<typeof previewed>>

/** The preview with the swap's own minimum has to foresee the same swap. */
const repeated = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  input: CashOutInput,
  { buyback, outcome, current }: Previewed
) {
  if (buyback === undefined) return undefined
  const again = yield* previewOf(snapshot, input, outcome.metadata)
  yield* requireCurrent(again.ruleset, current.ruleset)
  return again
})

const amountsOf = ({ treasury, outcome, buyback }: Previewed) => ({
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

/** Every hook that would act is the project's, and acts in the same way when asked again. */
const judged = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, input: CashOutInput, seen: Previewed) {
  const { hooks, again } = yield* Effect.all(
    { hooks: knownHooks(snapshot, input, seen), again: repeated(snapshot, input, seen) },
    AT_ONCE
  )
  if (again === undefined) return { hooks, hookSpecifications: seen.preview.hookSpecifications }
  const same = foreseenBuyback(again, hooks.buyback === null ? [] : [hooks.buyback])
  if (same === undefined) return yield* new CashOutRouteRequiresRequote()
  yield* requireKnown(again, hooks, same.spec)
  return { hooks, hookSpecifications: again.hookSpecifications }
})

const quoteOf = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, input: CashOutInput, seen: Previewed) {
  const { project, holder, account = holder, beneficiary, slippageBps, tokenToReclaim, cashOutCount } = input
  const { hooks, hookSpecifications } = yield* judged(snapshot, input, seen)
  const isRevnet = hooks.chain.some(({ kind }) => kind === "revnet")
  const quote: CashOutQuote = {
    operation: "cash_out",
    project,
    holder,
    account,
    beneficiary,
    terminal: seen.terminal,
    tokenToReclaim,
    tokenDecimals: seen.context.decimals,
    accountingCurrency: seen.context.currency,
    cashOutCount,
    projectTokenDecimals: 18,
    ...amountsOf(seen),
    cashOutTaxRate: seen.preview.cashOutTaxRate,
    beneficiaryIsFeeless: seen.isFeeless,
    hooks: hookSpecifications,
    rulesetId: seen.current.ruleset.id,
    slippageBps,
    evidence: [snapshot.evidence],
    warnings: warningsOf(seen.outcome.route, isRevnet, tokenToReclaim)
  }
  return quote
})

/** What a cash out's call rests on, in one round trip, and its quote, which takes one more. */
export const cashOutAt = Effect.fn("Quotes.cashOut")(function* (
  snapshot: PinnedSnapshot,
  input: CashOutInput
) {
  const seen = yield* previewed(snapshot, input)
  const { terminalMinimum, metadata } = seen.outcome
  return {
    terminalMinimum: String(terminalMinimum),
    metadata,
    quote: quoteOf(snapshot, input, seen)
  }
})

export const quoteCashOutAt = (snapshot: PinnedSnapshot, input: CashOutInput) =>
  Effect.flatMap(cashOutAt(snapshot, input), ({ quote }) => quote)

/** What a payment would do now, for its quote and for its plan. */
import { Effect } from "effect"
import { UnsupportedConfiguration } from "../../projects/refusals.ts"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { eachAtOnce } from "../../values/EachAtOnce.ts"
import type { Address } from "../../values/Scalars.ts"
import { APPROVAL_WARNINGS, NATIVE_TOKEN } from "../shared/Allowance.ts"
import { type BuybackPay, buybackPayOf } from "../shared/context/BuybackWords.ts"
import { currentAddressOf, readActiveCore } from "../shared/context/Core.ts"
import { type DataHooks, foreseeHooks, inspectHooks } from "../shared/context/DataHooks.ts"
import { type PaymentRoute, resolvePaymentTerminal } from "../shared/context/PaymentTerminal.ts"
import { recordedAddresses } from "../shared/context/Recorded.ts"
import { NoPaymentRoute } from "../shared/context/refusals.ts"
import { slippageFloor } from "../shared/economics/Slippage.ts"
import { LONGEST_MEMO } from "./Inputs.ts"
import { type HookSpecification, PayPreview, requireCurrent, simulated } from "./Previews.ts"
import type { quotePay } from "./quote_pay/Declaration.ts"
import { InvalidMemo } from "./refusals.ts"

export type PayInput = typeof quotePay.input.Type
type PayQuote = typeof quotePay.output.Type

const ALWAYS = [
  "The quote is not compared with buying the project's token on a market.",
  "Hooks may send funds to pools or elsewhere, so that they do not stay in the project's treasury."
]
const NOTHING_ISSUED =
  "The preview issues nothing to the beneficiary: the payment still moves funds and no minimum protects it."
const CUSTODY =
  "A gateway on the path takes custody of the payment: a failed one is retained only where its minimum is zero and its source project opted in, a fee that it queues is neither paid nor forgiven, and any other failure reverts."
const INDICATIVE =
  "A buyback acts, so that the output is indicative: hook version 1.1.1 falls back to issuance when its swap fails and reverts when the swap gives less than the hook's minimum; a quote in its metadata entry has two words, of which a minimum that issuance reaches makes it issue and an amount above the payment reverts; version 1.4.0 takes quotes of three words, reverts on those of two and falls back to issuance when its swap fails. The terminal enforces the final minimum of either."
const SHOP = "The payment reaches the project's 721 hook: which NFTs it allocates needs a review of its own."

const unsupported = ({ hook }: HookSpecification, why: string) =>
  new UnsupportedConfiguration({ detail: `The hook ${hook} ${why}.`, context: { hook } })

/** Only the quote of a 721 payment answers for what a shop forwards to the splits of its tiers. */
type ShopReach = "nothing-forwarded" | "may-forward"

/** A buyback that a preview foresees, before its hook is known to be the project's. */
interface Buyback {
  readonly spec: HookSpecification
  readonly words: BuybackPay
}

const isActive = ({ noop }: HookSpecification): boolean => !noop

const foreseenBuyback = (
  { hookSpecifications }: PayPreview,
  recorded: ReadonlyArray<Address>
): Buyback | undefined => {
  const spec = hookSpecifications.filter(isActive).find(({ hook }) => recorded.includes(hook))
  const words = spec === undefined ? undefined : buybackPayOf(spec.metadata)
  return spec === undefined || words === undefined ? undefined : { spec, words }
}

const isJudged = ({ words }: Buyback, controller: Address): boolean =>
  words.controller === controller && words.amountToMintWith === 0n && !words.skipSplits

/** Every hook that would act has to be one whose effect is known. */
const reachesShop = Effect.fnUntraced(function* (
  { core, preview, foreseen }: Previewed,
  { buyback, shop }: DataHooks,
  reach: ShopReach
) {
  let reached = false
  for (const spec of preview.hookSpecifications.filter(isActive)) {
    if (spec.hook === shop?.hook && (reach === "may-forward" || spec.amount === "0")) reached = true
    else if (spec.hook !== buyback || (foreseen !== undefined && spec !== foreseen.spec))
      return yield* unsupported(spec, "would act in a way that the service cannot judge")
    else if (foreseen === undefined || !isJudged(foreseen, core.controller))
      return yield* unsupported(spec, "specifies a buyback that the service cannot judge")
  }
  return reached
})

const countsOf = (preview: PayPreview, buyback: Buyback | undefined) =>
  buyback === undefined
    ? {
        beneficiaryTokenCount: preview.beneficiaryTokenCount,
        reservedTokenCount: preview.reservedTokenCount
      }
    : {
        beneficiaryTokenCount: String(buyback.words.minimumBeneficiaryTokenCount),
        reservedTokenCount: String(buyback.words.minimumReservedTokenCount)
      }

const warningsOf = (
  { token }: PayInput,
  { destination, foreseen, counts }: Previewed,
  isShopReached: boolean
) => [
  ...ALWAYS,
  ...(foreseen === undefined ? [] : [INDICATIVE]),
  ...(destination.routerGateway === null ? [] : [CUSTODY]),
  ...(counts.beneficiaryTokenCount === "0" ? [NOTHING_ISSUED] : []),
  ...(isShopReached ? [SHOP] : []),
  ...(token === NATIVE_TOKEN ? [] : APPROVAL_WARNINGS)
]

const checkMemo = (memo: string) => {
  const bytes = Buffer.byteLength(memo)
  return bytes > LONGEST_MEMO ? new InvalidMemo({ context: { bytes, limit: LONGEST_MEMO } }) : Effect.void
}

const previewOf = (
  snapshot: PinnedSnapshot,
  input: PayInput,
  contract: "JBMultiTerminal" | "JBRouterTerminalRegistry",
  terminal: Address
) => {
  const { project, token, amount, beneficiary, metadata, account } = input
  const args = [project.projectId, token, amount, beneficiary, metadata] as const
  const call = { contract, address: terminal, function: "previewPayFor", args, from: account } as const
  return simulated(snapshot.simulate(call, PayPreview))
}

/** Where a payment may go, asked before it is known which it is. */
const previewsOf = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, input: PayInput) {
  const registry = currentAddressOf(snapshot, "JBRouterTerminalRegistry")
  const multi = yield* snapshot.addressOf("JBMultiTerminal")
  return yield* eachAtOnce({
    "multi-terminal": previewOf(snapshot, input, "JBMultiTerminal", multi),
    "router-terminal":
      registry === undefined
        ? new NoPaymentRoute()
        : previewOf(snapshot, input, "JBRouterTerminalRegistry", registry)
  })
})

/** Of a token that no router reaches the project with, the registry's preview answers nothing but zeros. */
const requireRouted = ({ project, token }: PayInput, { route }: PaymentRoute, { ruleset }: PayPreview) =>
  route === "router-terminal" && ruleset.id === "0"
    ? new NoPaymentRoute({ context: { projectId: project.projectId, token } })
    : Effect.void

/** One round trip; a second one where an unknown terminal has to be told from a gateway. */
const previewed = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, input: PayInput) {
  const { projectId } = input.project
  const first = yield* eachAtOnce({
    core: readActiveCore(snapshot, projectId),
    destination: resolvePaymentTerminal(snapshot, projectId, input.token),
    hooks: foreseeHooks(snapshot, projectId),
    previews: previewsOf(snapshot, input)
  })
  const core = yield* first.core
  const destination = yield* first.destination
  const preview = yield* (yield* first.previews)[destination.route]
  yield* requireRouted(input, destination, preview)
  yield* requireCurrent(preview.ruleset, core.current.ruleset)
  const recorded = recordedAddresses(snapshot, "JBBuybackHook")
  const foreseen = foreseenBuyback(preview, recorded)
  const counts = countsOf(preview, foreseen)
  return { core, destination, preview, foreseen, counts, foreseenHooks: yield* first.hooks }
})

type Previewed = Effect.Effect.Success<ReturnType<typeof previewed>>

const rawPreview = ({ preview, destination }: Previewed) => ({
  semantics: destination.route === "multi-terminal" ? ("issuance" as const) : ("router-normalized" as const),
  beneficiaryTokenCount: preview.beneficiaryTokenCount,
  reservedTokenCount: preview.reservedTokenCount
})

const evidenceOfRoute = (hooks: DataHooks) => ({
  dataHooks: hooks.chain,
  buybackHook: hooks.buyback,
  shop: hooks.shop?.hook ?? null
})

const quoteOf = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  input: PayInput,
  seen: Previewed & { readonly minimum: string },
  reach: ShopReach
) {
  const { project, token, amount, beneficiary, account, slippageBps, metadata } = input
  const { core, preview, foreseen, counts, foreseenHooks, minimum } = seen
  const hooks = yield* inspectHooks(snapshot, project.projectId, "pay", core.current, foreseenHooks)
  const isShopReached = yield* reachesShop(seen, hooks, reach)
  const quote: PayQuote = {
    operation: "pay",
    project,
    account,
    ...seen.destination,
    quoteBasis: foreseen === undefined ? "terminal-issuance-preview" : "buyback-hook-indicative-output",
    payment: { token, amount, unit: "token-base-units" },
    beneficiary,
    projectTokenDecimals: 18,
    ...counts,
    rawTerminalPreview: rawPreview(seen),
    minimumBeneficiaryTokenCount: minimum,
    metadata,
    hooks: preview.hookSpecifications,
    routeEvidence: evidenceOfRoute(hooks),
    rulesetId: core.current.ruleset.id,
    slippageBps,
    evidence: [snapshot.evidence],
    warnings: warningsOf(input, seen, isShopReached)
  }
  return quote
})

/** What a payment's calls rest on, in one round trip, and its quote, which takes one more. */
export const payingAt = Effect.fn("Quotes.pay")(function* (
  snapshot: PinnedSnapshot,
  input: PayInput,
  reach: ShopReach
) {
  const seen = yield* previewed(snapshot, input)
  const minimum = String(slippageFloor(BigInt(seen.counts.beneficiaryTokenCount), input.slippageBps))
  const quote = quoteOf(snapshot, input, { ...seen, minimum }, reach)
  return { destination: seen.destination, minimumBeneficiaryTokenCount: minimum, quote }
})

/** With a memo of the caller's own. */
export const payAt = (snapshot: PinnedSnapshot, input: PayInput) =>
  Effect.zipRight(checkMemo(input.memo), payingAt(snapshot, input, "nothing-forwarded"))

export const quotePayAt = (snapshot: PinnedSnapshot, input: PayInput) =>
  Effect.flatMap(payAt(snapshot, input), ({ quote }) => quote)

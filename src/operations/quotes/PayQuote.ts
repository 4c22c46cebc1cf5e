/** What a payment would do now, for its quote and for its plan. */
import { Effect } from "effect"
import { UnsupportedConfiguration } from "../../projects/refusals.ts"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import type { Address } from "../../values/Scalars.ts"
import { type BuybackPay, buybackPayOf } from "../context/BuybackWords.ts"
import { AT_ONCE, type CoreContext, readActiveCore } from "../context/Core.ts"
import { type DataHooks, foreseeHooks, inspectHooks } from "../context/DataHooks.ts"
import { resolvePaymentTerminal } from "../context/PaymentTerminal.ts"
import { slippageFloor } from "../economics/Slippage.ts"
import type { quotePay } from "./Declarations.ts"
import { type HookSpecification, PayPreview, requireCurrent, simulated } from "./Previews.ts"
import { InvalidMemo } from "./refusals.ts"

export type PayInput = typeof quotePay.input.Type
type PayQuote = typeof quotePay.output.Type

const LONGEST_MEMO = 256
const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"

const ALWAYS = [
  "The quote is not compared with buying the project's token on a market.",
  "Hooks may send funds to pools or elsewhere, so that they do not stay in the project's treasury."
]
const NOTHING_ISSUED =
  "The preview issues nothing to the beneficiary: the payment still moves funds and no minimum protects it."
const INDICATIVE =
  "A buyback acts, so that the output is indicative: hook version 1.1.1 falls back to issuance when its swap fails and reverts when the swap gives less than the hook's minimum; version 1.4.0 takes quotes of three words, and the terminal still enforces the final minimum."
const SHOP = "The payment reaches the project's 721 hook: which NFTs it allocates needs a review of its own."
const APPROVAL = "An ERC-20 approval has to be confirmed before the payment can be simulated or sent."

const unsupported = ({ hook }: HookSpecification, why: string) =>
  new UnsupportedConfiguration({ detail: `The hook ${hook} ${why}.`, context: { hook } })

/** Only the quote of a 721 payment answers for what a shop forwards to the splits of its tiers. */
type ShopReach = "nothing-forwarded" | "may-forward"

interface Acting {
  readonly buyback: BuybackPay | undefined
  readonly reachesShop: boolean
}

const buybackIn = (spec: HookSpecification, controller: Address) => {
  const words = buybackPayOf(spec.metadata)
  return words !== undefined &&
    words.controller === controller &&
    words.amountToMintWith === 0n &&
    !words.skipSplits
    ? Effect.succeed(words)
    : unsupported(spec, "specifies a buyback that the service cannot judge")
}

/** Every hook that would act has to be one whose effect is known. */
const actingOf = Effect.fnUntraced(function* (
  { hookSpecifications }: PayPreview,
  { buyback, shop }: DataHooks,
  { controller }: CoreContext,
  reach: ShopReach
) {
  let acting: Acting = { buyback: undefined, reachesShop: false }
  for (const spec of hookSpecifications.filter(({ noop }) => !noop)) {
    if (spec.hook === shop?.hook && (reach === "may-forward" || spec.amount === "0"))
      acting = { ...acting, reachesShop: true }
    else if (spec.hook === buyback && acting.buyback === undefined)
      acting = { ...acting, buyback: yield* buybackIn(spec, controller) }
    else return yield* unsupported(spec, "would act in a way that the service cannot judge")
  }
  return acting
})

const countsOf = (preview: PayPreview, { buyback }: Acting) =>
  buyback === undefined
    ? {
        beneficiaryTokenCount: preview.beneficiaryTokenCount,
        reservedTokenCount: preview.reservedTokenCount
      }
    : {
        beneficiaryTokenCount: String(buyback.minimumBeneficiaryTokenCount),
        reservedTokenCount: String(buyback.minimumReservedTokenCount)
      }

const warningsOf = ({ token }: PayInput, { buyback, reachesShop }: Acting, count: string) => [
  ...ALWAYS,
  ...(buyback === undefined ? [] : [INDICATIVE]),
  ...(count === "0" ? [NOTHING_ISSUED] : []),
  ...(reachesShop ? [SHOP] : []),
  ...(token === NATIVE_TOKEN ? [] : [APPROVAL])
]

const checkMemo = (memo: string) => {
  const bytes = Buffer.byteLength(memo)
  return bytes > LONGEST_MEMO ? new InvalidMemo({ context: { bytes, limit: LONGEST_MEMO } }) : Effect.void
}

const previewOf = (snapshot: PinnedSnapshot, input: PayInput, contract: string, terminal: Address) => {
  const { project, token, amount, beneficiary, metadata, account } = input
  const args = [project.projectId, token, amount, beneficiary, metadata]
  const call = { contract, address: terminal, function: "previewPayFor", args, from: account }
  return simulated(snapshot.simulate(call, PayPreview))
}

const CONTRACTS = { "multi-terminal": "JBMultiTerminal", "router-terminal": "JBRouterTerminalRegistry" }

/** Two round trips. */
const inspectPay = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, input: PayInput, reach: ShopReach) {
  const { projectId } = input.project
  const { core, destination, foreseen } = yield* Effect.all(
    {
      core: readActiveCore(snapshot, projectId),
      destination: resolvePaymentTerminal(snapshot, projectId, input.token),
      foreseen: foreseeHooks(snapshot, projectId)
    },
    AT_ONCE
  )
  const { hooks, preview } = yield* Effect.all(
    {
      hooks: inspectHooks(snapshot, projectId, "pay", core.current, foreseen),
      preview: previewOf(snapshot, input, CONTRACTS[destination.route], destination.terminal)
    },
    AT_ONCE
  )
  yield* requireCurrent(preview.ruleset, core.current.ruleset)
  return { core, destination, hooks, preview, acting: yield* actingOf(preview, hooks, core, reach) }
})

type Inspected = Effect.Effect.Success<ReturnType<typeof inspectPay>>

const rawPreview = ({ preview, destination }: Inspected) => ({
  semantics: destination.route === "multi-terminal" ? ("issuance" as const) : ("router-normalized" as const),
  beneficiaryTokenCount: preview.beneficiaryTokenCount,
  reservedTokenCount: preview.reservedTokenCount
})

const evidenceOfRoute = ({ hooks }: Inspected) => ({
  dataHooks: hooks.chain,
  buybackHook: hooks.buyback,
  shop: hooks.shop?.hook ?? null
})

export const quotePayAt = Effect.fn("Quotes.pay")(function* (
  snapshot: PinnedSnapshot,
  input: PayInput,
  reach: ShopReach = "nothing-forwarded"
) {
  yield* checkMemo(input.memo)
  const { project, token, amount, beneficiary, account, slippageBps, metadata } = input
  const inspected = yield* inspectPay(snapshot, input, reach)
  const { acting, core, preview } = inspected
  const counts = countsOf(preview, acting)
  const minimum = slippageFloor(BigInt(counts.beneficiaryTokenCount), slippageBps)
  const quote: PayQuote = {
    operation: "pay",
    project,
    account,
    ...inspected.destination,
    routerGateway: null,
    quoteBasis: acting.buyback === undefined ? "terminal-issuance-preview" : "buyback-hook-indicative-output",
    payment: { token, amount, unit: "token-base-units" },
    beneficiary,
    projectTokenDecimals: 18,
    ...counts,
    rawTerminalPreview: rawPreview(inspected),
    minimumBeneficiaryTokenCount: String(minimum),
    metadata,
    hooks: preview.hookSpecifications,
    routeEvidence: evidenceOfRoute(inspected),
    rulesetId: core.current.ruleset.id,
    slippageBps,
    evidence: [snapshot.evidence],
    warnings: warningsOf(input, acting, counts.beneficiaryTokenCount)
  }
  return quote
})

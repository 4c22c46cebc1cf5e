/**
 * What a payment for tiers would mint now, for its quote and for its plan. Four round trips, because the amount of
 * the mint rests on the hook's prices and credits, and the hook on the project; five where a price is converted.
 */
import { Effect } from "effect"
import { encodeAbiParameters } from "viem"
import { metadataOf } from "../../protocol/MetadataEntry.ts"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { AccountingContext } from "../../protocol/ProjectRecords.ts"
import { observed } from "../../values/Observed.ts"
import { Address, type Hex, Uint256 } from "../../values/Scalars.ts"
import { AT_ONCE, EACH_AT_ONCE } from "../context/Core.ts"
import { verify721 } from "../context/Shop.ts"
import { quotePayAt } from "../quotes/PayQuote.ts"
import type { quote721Pay } from "./Declarations.ts"
import { findShop } from "./FindShop.ts"
import { paymentWorth, previewMint } from "./MintPreview.ts"
import { Pricing, priced, ShopFlags, StoredTier } from "./Records.ts"
import { NftHookNotInvoked, NftRouterUnsupported, No721Shop } from "./refusals.ts"
import { type Payment, usableCredits } from "./TierPrices.ts"

type Input = typeof quote721Pay.input.Type
type ShopPayQuote = typeof quote721Pay.output.Type

const PAY_VALUE = [{ type: "bool" }, { type: "uint16[]" }] as const

const DELIVERY = {
  simulated: "JB721TiersHookStore.recordMint",
  meaning: "The store would mint these tiers for this payment now; the payment itself was not executed."
}

const SOURCES = ["JBMultiTerminal", "JB721TiersHook", "JB721TiersHookStore", "JBPrices"]

const WARNINGS = [
  "Token ids are indicative, because another mint may come first.",
  "A tier that is sold out meanwhile reverts the payment.",
  "What is paid beyond the prices becomes credits of the beneficiary, where the shop allows it.",
  "Mints of reserves and changes of tiers can move the serial numbers."
]

const metadataFor = (target: Address, { allowOverspending, tierIds }: Input): Hex => {
  const value = encodeAbiParameters(PAY_VALUE, [allowOverspending, tierIds])
  return metadataOf({ purpose: "pay", target }, `0x${value.slice(2)}`)
}

const tiersOf = ({ read }: PinnedSnapshot, hook: Address, tierIds: ReadonlyArray<number>) =>
  Effect.forEach(
    new Set(tierIds),
    id => Effect.map(read("JB721TiersHookStore", "tierOf", [hook, String(id), false], StoredTier), priced),
    AT_ONCE
  )

const hookQuestions = (snapshot: PinnedSnapshot, input: Input, hook: Address) => {
  const { read, readAt } = snapshot
  return {
    verified: verify721(snapshot, input.project.projectId, hook),
    pricing: readAt("JB721TiersHook", hook, "pricingContext", [], Pricing),
    prices: readAt("JB721TiersHook", hook, "PRICES", [], Address),
    credits: readAt("JB721TiersHook", hook, "payCreditsOf", [input.beneficiary], Uint256),
    flags: read("JB721TiersHookStore", "flagsOf", [hook], ShopFlags),
    tiers: tiersOf(snapshot, hook, input.tierIds)
  }
}

/** The shop that the project has, proved, with all that the mint rests on. */
const shopOf = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, input: Input) {
  const { projectId } = input.project
  const { hook } = yield* findShop(snapshot, projectId)
  if (hook === null) return yield* new No721Shop({ context: { projectId } })
  const answers = yield* Effect.all(hookQuestions(snapshot, input, hook), EACH_AT_ONCE)
  return {
    ...(yield* answers.verified),
    pricing: yield* answers.pricing,
    prices: answers.prices,
    credits: yield* answers.credits,
    flags: yield* answers.flags,
    tiers: yield* observed(answers.tiers)
  }
})

/** The canonical implementation is what every proved hook looks its metadata up by, so that the quote waits for none. */
const paymentOf = (snapshot: PinnedSnapshot, input: Input) =>
  Effect.flatMap(snapshot.addressOf("JB721TiersHook"), target =>
    quotePayAt(snapshot, { ...input, metadata: metadataFor(target, input), memo: "" }, "may-forward")
  )

const partsOf = (snapshot: PinnedSnapshot, input: Input) => ({
  shop: shopOf(snapshot, input),
  paymentQuote: paymentOf(snapshot, input),
  context: snapshot.read(
    "JBMultiTerminal",
    "accountingContextForTokenOf",
    [input.project.projectId, input.token],
    AccountingContext
  )
})

/** A router would pay in its own name and in a token of its choice, which the shop would judge anew. */
const partsOfQuote = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, input: Input) {
  const parts = yield* Effect.all(partsOf(snapshot, input), EACH_AT_ONCE)
  const shop = yield* parts.shop
  const paymentQuote = yield* parts.paymentQuote
  if (paymentQuote.route !== "multi-terminal")
    return yield* new NftRouterUnsupported({ context: { terminalPath: paymentQuote.terminalPath } })
  if (!paymentQuote.hooks.some(({ hook, noop }) => hook === shop.hook && !noop))
    return yield* new NftHookNotInvoked({ context: { hook: shop.hook } })
  return { shop, paymentQuote, context: yield* parts.context }
})

export const quote721PayAt = Effect.fn("Shops.pay")(function* (snapshot: PinnedSnapshot, input: Input) {
  const { project, account, amount, beneficiary, tierIds, token } = input
  const { shop, paymentQuote, context } = yield* partsOfQuote(snapshot, input)
  const { hook, store, metadataIdTarget, pricing, prices, credits, flags, tiers } = shop
  const { projectId } = project
  const value = yield* paymentWorth(snapshot, { projectId, amount, context, pricing, prices })
  const payment: Payment = {
    value,
    credits: BigInt(credits),
    payerIsBeneficiary: account === beneficiary
  }
  const mayOverspend = input.allowOverspending && !flags.preventOverspending
  const minted = yield* previewMint(snapshot, { hook, tierIds, payment, mayOverspend })
  const quote: ShopPayQuote = {
    operation: "721_pay",
    ...{ project, paymentQuote, hook, store, metadataIdTarget, pricing, beneficiary, tierIds },
    indicativeTokenIds: minted.tokenIds,
    destination: { terminal: paymentQuote.terminal, token, amount, payer: account, route: "direct" },
    normalizedPayment: String(value),
    priorNFTCredits: credits,
    usableNFTCredits: String(usableCredits(payment)),
    leftoverNFTCredits: minted.leftoverAmount,
    resultingNFTCredits: minted.resultingCredits,
    tiers,
    metadata: paymentQuote.metadata,
    deliveryCheck: DELIVERY,
    evidence: [snapshot.evidence],
    sources: SOURCES,
    warnings: WARNINGS
  }
  return quote
})

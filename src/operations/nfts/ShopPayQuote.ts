/** What a payment for tiers would mint now, for its quote and for its plan. */
import { Effect } from "effect"
import { encodeAbiParameters } from "viem"
import { metadataOf } from "../../protocol/MetadataEntry.ts"
import type { PinnedSnapshot, ReadFailure } from "../../protocol/PinnedContracts.ts"
import { AccountingContext } from "../../protocol/ProjectRecords.ts"
import { eachAtOnce } from "../../values/EachAtOnce.ts"
import { observed } from "../../values/Observed.ts"
import { Address, type Hex, Uint256 } from "../../values/Scalars.ts"
import { payingAt } from "../payments/PayQuote.ts"
import { AT_ONCE } from "../shared/context/Core.ts"
import { verify721 } from "../shared/context/Shop.ts"
import { findShop } from "./FindShop.ts"
import { mintCalls } from "./MintCalls.ts"
import { paymentWorth, previewMint, requireMint } from "./MintPreview.ts"
import type { quote721Pay } from "./quote_721_pay/Declaration.ts"
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
  "Mints of reserves and changes of tiers can move the serial numbers.",
  "Where the project's ruleset no longer names this hook when the payment is mined, the payment buys no NFTs."
]

export const metadataFor = (
  target: Address,
  { allowOverspending, tierIds }: Pick<Input, "allowOverspending" | "tierIds">
): Hex => {
  const value = encodeAbiParameters(PAY_VALUE, [allowOverspending, tierIds])
  return metadataOf({ purpose: "pay", target }, `0x${value.slice(2)}`)
}

const tiersOf = ({ read }: PinnedSnapshot, hook: Address, tierIds: ReadonlyArray<number>) =>
  Effect.forEach(
    new Set(tierIds),
    id => Effect.map(read("JB721TiersHookStore", "tierOf", [hook, String(id), false], StoredTier), priced),
    AT_ONCE
  )

const factsOf = (snapshot: PinnedSnapshot, { beneficiary }: Input, hook: Address) => {
  const { readAt } = snapshot
  return Effect.all({
    pricing: Effect.cached(readAt("JB721TiersHook", hook, "pricingContext", [], Pricing)),
    prices: Effect.cached(readAt("JB721TiersHook", hook, "PRICES", [], Address)),
    credits: Effect.cached(readAt("JB721TiersHook", hook, "payCreditsOf", [beneficiary], Uint256))
  })
}

type Facts = Effect.Effect.Success<ReturnType<typeof factsOf>>

const readContext = ({ read }: PinnedSnapshot, { project, token }: Input) =>
  read("JBMultiTerminal", "accountingContextForTokenOf", [project.projectId, token], AccountingContext)

type Context = Effect.Effect<AccountingContext, ReadFailure>

/** Asked before the hook is proved, and of use only once it is. */
const mintOf = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  input: Input,
  hook: Address,
  facts: Facts & { readonly context: Context }
) {
  const { context, pricing, credits } = yield* Effect.all(
    { context: facts.context, pricing: facts.pricing, credits: facts.credits },
    AT_ONCE
  )
  const { amount, account, beneficiary, project, tierIds } = input
  const { projectId } = project
  const prices = Effect.either(facts.prices)
  const payment: Payment = {
    value: yield* paymentWorth(snapshot, { projectId, amount, context, pricing, prices: yield* prices }),
    credits: BigInt(credits),
    payerIsBeneficiary: account === beneficiary
  }
  return { payment, minted: yield* previewMint(snapshot, { hook, tierIds, payment }) }
})

/** The shop that the project has, proved, and what it would mint. */
const shopOf = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  input: Input,
  hook: Address,
  context: Context
) {
  const facts = yield* factsOf(snapshot, input, hook)
  const answers = yield* eachAtOnce({
    ...facts,
    verified: verify721(snapshot, input.project.projectId, hook),
    flags: snapshot.read("JB721TiersHookStore", "flagsOf", [hook], ShopFlags),
    tiers: tiersOf(snapshot, hook, input.tierIds),
    mint: mintOf(snapshot, input, hook, { ...facts, context })
  })
  return {
    ...(yield* answers.verified),
    pricing: yield* answers.pricing,
    credits: yield* answers.credits,
    flags: yield* answers.flags,
    tiers: yield* observed(answers.tiers),
    mint: answers.mint
  }
})

type Shop = Effect.Effect.Success<ReturnType<typeof shopOf>>

const quoteOf = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  input: Input,
  shop: Shop,
  paymentQuote: ShopPayQuote["paymentQuote"]
) {
  const { project, account, amount, beneficiary, tierIds, token } = input
  const { hook, store, metadataIdTarget, pricing, credits, flags, tiers } = shop
  const { payment, minted } = yield* shop.mint
  const mayOverspend = input.allowOverspending && !flags.preventOverspending
  const resulting = yield* requireMint(minted, tierIds, payment, mayOverspend)
  const quote: ShopPayQuote = {
    operation: "721_pay",
    ...{ project, paymentQuote, hook, store, metadataIdTarget, pricing, beneficiary, tierIds },
    indicativeTokenIds: minted.tokenIds,
    destination: { terminal: paymentQuote.terminal, token, amount, payer: account, route: "direct" },
    normalizedPayment: String(payment.value),
    priorNFTCredits: credits,
    usableNFTCredits: String(usableCredits(payment)),
    leftoverNFTCredits: minted.leftoverAmount,
    resultingNFTCredits: String(resulting),
    tiers,
    metadata: paymentQuote.metadata,
    deliveryCheck: DELIVERY,
    evidence: [snapshot.evidence],
    sources: SOURCES,
    warnings: WARNINGS
  }
  return quote
})

/** The canonical implementation is what every proved hook looks its metadata up by, so that the payment waits for none. */
const paymentOf = (snapshot: PinnedSnapshot, input: Input) =>
  Effect.flatMap(snapshot.addressOf("JB721TiersHook"), target =>
    payingAt(snapshot, { ...input, metadata: metadataFor(target, input), memo: "" }, "may-forward")
  )

/** A router would pay in its own name and in a token of its choice, which the shop would judge anew. */
const checked = (paymentQuote: ShopPayQuote["paymentQuote"], hook: Address) => {
  if (paymentQuote.route !== "multi-terminal")
    return new NftRouterUnsupported({ context: { terminalPath: paymentQuote.terminalPath } })
  return paymentQuote.hooks.some(spec => spec.hook === hook && !spec.noop)
    ? Effect.succeed(paymentQuote)
    : new NftHookNotInvoked({ context: { hook } })
}

/** What the payment's call rests on, in one round trip, and the quote, which takes another. */
export const shopPayAt = Effect.fn("Shops.pay")(function* (snapshot: PinnedSnapshot, input: Input) {
  const context = yield* Effect.cached(readContext(snapshot, input))
  const first = yield* eachAtOnce({
    found: findShop(snapshot, input.project.projectId),
    payment: paymentOf(snapshot, input),
    context,
    ahead: snapshot.foresee(mintCalls(snapshot, input))
  })
  const { hook, isActive } = yield* first.found
  const none = new No721Shop({ context: { projectId: input.project.projectId } })
  if (hook === null) return yield* none
  const quote = Effect.gen(function* () {
    const paying = Effect.flatMap(first.payment, payment => payment.quote)
    const parts = yield* eachAtOnce({ shop: shopOf(snapshot, input, hook, context), paymentQuote: paying })
    const shop = yield* isActive
      ? parts.shop
      : Effect.catchTag(parts.shop, "UNSUPPORTED_721_HOOK", () => none)
    return yield* quoteOf(snapshot, input, shop, yield* checked(yield* parts.paymentQuote, shop.hook))
  })
  return { payment: first.payment, quote }
})

export const quote721PayAt = (snapshot: PinnedSnapshot, input: Input) =>
  Effect.flatMap(shopPayAt(snapshot, input), ({ quote }) => quote)

/** What a payment mints from a shop: its worth in the shop's prices, the credits it may use, and the store's own answer. */
import { Effect, type Either, Schema } from "effect"
import type { PinnedSnapshot, ReadFailure } from "../../protocol/PinnedContracts.ts"
import type { AccountingContext } from "../../protocol/ProjectRecords.ts"
import { type Address, Uint256 } from "../../values/Scalars.ts"
import { simulated } from "../payments/Previews.ts"
import { currentAddressOf } from "../shared/context/Core.ts"
import type { Pricing } from "./Records.ts"
import { InvalidNftPreview, NftCreditsRestricted, NftOverspending, NftPriceUnavailable } from "./refusals.ts"
import { converted, creditsAfter, type Payment, rescaled, spendable, tierOfToken } from "./TierPrices.ts"

interface Worth {
  readonly projectId: string
  readonly amount: string
  readonly context: AccountingContext
  readonly pricing: Pricing
  /** The hook's own price registry; a hook without one skips the NFTs of payments in other currencies. */
  readonly prices: Either.Either<Address, ReadFailure>
}

/** A hook keeps them in one byte; whatever says that it has more is none, and is asked before it is proved to be one. */
const MOST_DECIMALS = 255n

/** A read of its own where the currencies differ. */
export const paymentWorth = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  { projectId, amount, context, pricing, prices }: Worth
) {
  const unavailable = (why: Readonly<Record<string, unknown>>) =>
    new NftPriceUnavailable({ context: { ...why, from: context.currency, to: pricing.currency } })
  if (BigInt(pricing.decimals) > MOST_DECIMALS) return yield* unavailable({ decimals: pricing.decimals })
  const decimals = Number(pricing.decimals)
  if (context.currency === pricing.currency)
    return rescaled(BigInt(amount), Number(context.decimals), decimals)
  const registry = yield* prices
  if (registry !== currentAddressOf(snapshot, "JBPrices")) return yield* unavailable({ prices: registry })
  const args = [projectId, context.currency, pricing.currency, context.decimals] as const
  const asked = snapshot.read("JBPrices", "pricePerUnitOf", args, Uint256)
  const price = yield* Effect.catchTag(asked, "CALL_REVERTED", () => unavailable({ prices: registry }))
  return price === "0"
    ? yield* unavailable({ prices: registry })
    : converted(BigInt(amount), decimals, BigInt(price))
})

interface Minting {
  readonly hook: Address
  readonly tierIds: ReadonlyArray<number>
  readonly payment: Payment
}

const Minted = Schema.Struct({
  tokenIds: Schema.Array(Uint256),
  leftoverAmount: Uint256,
  restrictedCost: Uint256
})

/** The store takes calls of hooks alone, so that it is asked as the hook. */
export const previewMint = (snapshot: PinnedSnapshot, { hook, tierIds, payment }: Minting) => {
  const args = [spendable(payment), tierIds.map(String), false] as const
  const call = { contract: "JB721TiersHookStore", function: "recordMint", args, from: hook } as const
  return simulated(snapshot.simulate(call, Minted))
}

/** Refuses what would not mint exactly the tiers for the payment. */
export const requireMint = Effect.fnUntraced(function* (
  { tokenIds, leftoverAmount, restrictedCost }: typeof Minted.Type,
  tierIds: ReadonlyArray<number>,
  payment: Payment,
  mayOverspend: boolean
) {
  const isOfTiers = tierIds.every((tier, index) => tierOfToken(BigInt(tokenIds[index] ?? 0)) === BigInt(tier))
  if (tokenIds.length !== tierIds.length || !isOfTiers)
    return yield* new InvalidNftPreview({ context: { tierIds, tokenIds } })
  if (BigInt(restrictedCost) > payment.value)
    return yield* new NftCreditsRestricted({
      context: { restrictedCost, normalizedPayment: String(payment.value) }
    })
  if (leftoverAmount !== "0" && !mayOverspend)
    return yield* new NftOverspending({ context: { leftoverAmount } })
  return creditsAfter(payment, BigInt(leftoverAmount))
})

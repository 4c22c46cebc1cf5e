/** What the 721 store and hook tell of a shop. */
import { Schema } from "effect"
import { Address, Bytes32, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { effectivePrice } from "./TierPrices.ts"

const tier = {
  id: Uint256,
  price: Uint256,
  remainingSupply: Uint256,
  initialSupply: Uint256,
  votingUnits: Uint256,
  reserveFrequency: Uint256,
  reserveBeneficiary: Address,
  encodedIpfsUri: Bytes32,
  category: Uint256,
  discountPercent: Uint256,
  flags: strict({
    allowOwnerMint: Schema.Boolean,
    transfersPausable: Schema.Boolean,
    cantBeRemoved: Schema.Boolean,
    cantIncreaseDiscountPercent: Schema.Boolean,
    cantBuyWithCredits: Schema.Boolean
  }),
  splitPercent: Uint256
}

/** The resolved URI is empty wherever the store was not asked to resolve. */
export const StoredTier = strict({ ...tier, resolvedUri: Schema.String })
export type StoredTier = typeof StoredTier.Type

/** The store tells a tier that never was as one without any supply, and lists such tiers past the last one. */
export const wasAdded = ({ initialSupply }: StoredTier): boolean => initialSupply !== "0"

export const priced = ({ resolvedUri: _, ...stored }: StoredTier) => ({
  ...stored,
  effectivePrice: effectivePrice(BigInt(stored.price), Number(stored.discountPercent)).toString()
})

export const Tier = strict({ ...tier, effectivePrice: Uint256 }).annotations({
  identifier: "ShopTier",
  description:
    "Prices in the shop's currency and decimals; the discount percent is of 200, the split percent of 1000000000."
})

export const Pricing = strict({ currency: Uint256, decimals: Uint256 }).annotations({
  identifier: "ShopPricing",
  description: "1 is ETH, 2 is USD, any other currency the low 32 bits of a token's address."
})
export type Pricing = typeof Pricing.Type

export const ShopFlags = strict({
  noNewTiersWithReserves: Schema.Boolean,
  noNewTiersWithVotes: Schema.Boolean,
  noNewTiersWithOwnerMinting: Schema.Boolean,
  preventOverspending: Schema.Boolean,
  issueTokensForSplits: Schema.Boolean
}).annotations({ identifier: "ShopFlags" })
export type ShopFlags = typeof ShopFlags.Type

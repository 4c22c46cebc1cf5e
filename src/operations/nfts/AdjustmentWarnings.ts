import type { TierConfiguration } from "../shared/inputs/Configuration.ts"
import { effectivePrice } from "./TierPrices.ts"
import { setsDefault } from "./TierRules.ts"

const SPLITS_TOTAL = 1_000_000_000

const GENERAL = [
  "A removal is permanent: the tier cannot come back, only a new tier with another id can; tokens that were minted stay.",
  "Price, supply and category of a tier cannot be edited; remove the tier and add another one instead.",
  "Discounts of existing tiers are set by another call, which needs a permission of its own (SET_721_DISCOUNT_PERCENT).",
  "The new ids hold only as long as nobody adds tiers before this plan is mined."
]

const CONDITIONS: ReadonlyArray<readonly [(tier: TierConfiguration) => boolean, string]> = [
  [
    ({ price, discountPercent }) => effectivePrice(BigInt(price), discountPercent) === 0n,
    "cost nothing, so that anybody can mint them"
  ],
  [({ flags }) => flags.cantBeRemoved, "can never be removed"],
  [({ flags }) => flags.allowOwnerMint, "can be minted by the owner without a payment"],
  [({ splitPercent }) => splitPercent > 0, "give a part of each price to splits instead of the project"],
  [
    ({ splitPercent, splits }) =>
      splitPercent > 0 && splits.reduce((sum, { percent }) => sum + percent, 0) < SPLITS_TOTAL,
    "have splits that do not take their whole part, the rest of which comes back with each sale, so that the effects of a sale stay unknown"
  ],
  [setsDefault, "set the default reserve beneficiary, also for every earlier tier that has none of its own"]
]

/** One sentence for each condition, with all tiers that meet it. */
export const tierWarnings = (
  tiers: ReadonlyArray<TierConfiguration>,
  firstId: bigint
): ReadonlyArray<string> =>
  CONDITIONS.flatMap(([holds, what]) => {
    const ids = tiers.flatMap((tier, index) => (holds(tier) ? [firstId + BigInt(index)] : []))
    return ids.length === 0 ? [] : [`New tiers that ${what}: ${ids.join(", ")}.`]
  })

export const adjustmentWarnings = (
  tiersToAdd: ReadonlyArray<TierConfiguration>,
  firstId: bigint
): ReadonlyArray<string> => [...GENERAL, ...tierWarnings(tiersToAdd, firstId)]

import { Schema } from "effect"
import { ObservedOf } from "../../../values/Observed.ts"
import { Address, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declarePlan } from "../../framework/PlanOperation.ts"
import { Tiers } from "../../shared/inputs/Configuration.ts"
import { distinct, int, list, Project } from "../../shared/inputs/Parts.ts"
import { get721Shop } from "../get_721_shop/Declaration.ts"
import { Pricing, Tier } from "../Records.ts"

const checksummed = Schema.typeSchema(Address)

export const prepareAdjustTiers = declarePlan({
  id: "prepare_adjust_tiers",
  plan: "721_adjust_tiers",
  sources: ["onchain"],
  title: "Prepare tier changes",
  description: "Plans the adding and removing of tiers of a project's shop.",
  input: strict({
    project: Project,
    account: Address,
    tiersToAdd: Tiers(32),
    tierIdsToRemove: distinct(list(int(1, 65_535), 32))
  }).pipe(
    Schema.filter(({ tierIdsToRemove, tiersToAdd }) => tierIdsToRemove.length + tiersToAdd.length > 0, {
      jsonSchema: {},
      message: () => "a tier to add or to remove"
    })
  ),
  summary: strict({
    hook: checksummed,
    store: checksummed,
    permission: strict({
      required: Schema.Literal("ADJUST_721_TIERS"),
      id: Schema.Literal(24),
      by: Schema.Literal("owner", "permission")
    }),
    pricing: ObservedOf(Pricing),
    firstNewTierId: Uint256,
    addedTierCount: Schema.Int,
    removedTierCount: Schema.Int,
    newTiers: Schema.Array(
      strict({
        tierId: Uint256,
        category: Schema.Int,
        price: Uint256,
        effectivePrice: Uint256,
        initialSupply: Schema.Int
      })
    ),
    removedTiers: Schema.Array(Tier)
  }).annotations({ identifier: "TierAdjustmentSummary" }),
  problems: [
    ...get721Shop.problems,
    "NO_721_SHOP",
    "PERMISSION_DENIED",
    "MAX_TIERS_EXCEEDED",
    "NFT_FLAG_CONFLICT",
    "NFT_RESERVE_BENEFICIARY_REQUIRED",
    "NFT_TIER_NOT_REMOVABLE"
  ]
})

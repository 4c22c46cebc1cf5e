import { Schema } from "effect"
import { ObservedOf } from "../../values/Observed.ts"
import { Address, ChainId, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { declarePlan } from "../framework/PlanOperation.ts"
import { planInputs } from "../inputs/Plans.ts"
import { get721Shop } from "./Declarations.ts"
import { Pricing, Tier } from "./Records.ts"

const checksummed = Schema.typeSchema(Address)

export const prepareAdjustTiers = declarePlan({
  id: "prepare_adjust_tiers",
  input: planInputs.prepare_adjust_tiers,
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

export const prepare721Launch = declarePlan({
  id: "prepare_721_launch",
  input: planInputs.prepare_721_launch,
  summary: strict({
    chainId: ChainId,
    owner: checksummed,
    deployer: checksummed,
    hookDeployer: checksummed,
    controller: checksummed,
    name: Schema.String,
    symbol: Schema.String,
    projectUri: Schema.String,
    pricing: strict({ currency: Schema.Int, decimals: Schema.Int }),
    tierCount: Schema.Int,
    rulesetCount: Schema.Int,
    terminalCount: Schema.Int,
    creationFeeWei: Uint256,
    projectId: Schema.Null,
    projectIdResolution: Schema.String,
    hook: Schema.Null,
    hookResolution: Schema.String
  }).annotations({ identifier: "ShopLaunchSummary" }),
  problems: [
    "INVALID_721_DEPLOYER",
    "UNSUPPORTED_TERMINAL",
    "TOKEN_DECIMALS_MISMATCH",
    "MISSING_PRICE_FEED",
    "NFT_RESERVE_BENEFICIARY_REQUIRED",
    "DEPLOYMENT_CODE_MISSING",
    "DEPLOYMENT_UNAVAILABLE"
  ]
})

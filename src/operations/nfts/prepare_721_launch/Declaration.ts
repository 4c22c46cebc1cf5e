import { Schema } from "effect"
import { Address, ChainId, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declarePlan } from "../../framework/PlanOperation.ts"
import {
  baseShopFlags,
  ShopRulesetConfiguration,
  shopConfiguration,
  TerminalConfigurations
} from "../../shared/inputs/Configuration.ts"
import { Hash, list, Memo, SomeAddress, Uri } from "../../shared/inputs/Parts.ts"

const checksummed = Schema.typeSchema(Address)

export const prepare721Launch = declarePlan({
  id: "prepare_721_launch",
  plan: "721_launch",
  sources: ["onchain"],
  title: "Prepare a launch with a shop",
  description: "Plans the launch of a project together with its 721 shop.",
  input: strict({
    chainId: ChainId,
    account: Address,
    owner: SomeAddress,
    deployTiersHookConfig: strict(
      shopConfiguration({ ...baseShopFlags, issueTokensForSplits: Schema.Boolean })
    ),
    projectUri: Uri,
    rulesetConfigurations: list(ShopRulesetConfiguration, 16, 1),
    terminalConfigurations: TerminalConfigurations,
    memo: Memo,
    salt: Hash
  }),
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

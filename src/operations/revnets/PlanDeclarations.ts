import { Schema } from "effect"
import { ObservedOf } from "../../values/Observed.ts"
import { Address, ChainId, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { declarePlan } from "../framework/PlanOperation.ts"
import { planInputs } from "../inputs/Plans.ts"
import { getRevnet } from "./Declarations.ts"

const checksummed = Schema.typeSchema(Address)

const PlannedStage = strict({
  index: Schema.Int,
  startsAtOrAfter: Uint256,
  autoIssuances: Schema.Array(strict({ beneficiary: checksummed, count: Uint256 })).annotations({
    description: "those of this chain"
  }),
  autoIssuancesElsewhere: Schema.Int
}).annotations({ identifier: "PlannedRevnetStage" })

export const prepareRevnetDeploy = declarePlan({
  id: "prepare_revnet_deploy",
  input: planInputs.prepare_revnet_deploy,
  summary: strict({
    chainId: ChainId,
    revnetId: Schema.Null,
    revnetIdResolution: Schema.String,
    owner: checksummed.annotations({ description: "REVOwner, which owns every revnet" }),
    operator: checksummed,
    name: Schema.String,
    ticker: Schema.String,
    baseCurrency: Schema.Int,
    stages: Schema.Array(PlannedStage),
    stageIdResolution: Schema.String,
    cashOutDelay: strict({
      seconds: ObservedOf(Uint256),
      applies: Schema.Boolean.annotations({
        description: "whether the first stage has started at the plan's block"
      })
    }),
    accountingContextCount: Schema.Int,
    suckerCount: Schema.Int,
    shop: strict({
      configured: Schema.Boolean,
      currency: Schema.Int,
      decimals: Schema.Int,
      tierCount: Schema.Int,
      allowedPostCount: Schema.Int
    }),
    creationFeeWei: Uint256
  }),
  problems: [
    "UNSUPPORTED_REVNET_DEPENDENCY",
    "TOKEN_DECIMALS_MISMATCH",
    "MISSING_PRICE_FEED",
    "SUCKER_DEPLOYER_NOT_ALLOWED",
    "SUCKER_TOKEN_NOT_ACCEPTED",
    "EXPLICIT_NFT_PRICING_REQUIRED",
    "DEPLOYMENT_UNAVAILABLE"
  ]
})

export const prepareAutoIssue = declarePlan({
  id: "prepare_auto_issue",
  input: planInputs.prepare_auto_issue,
  summary: strict({
    stageId: Uint256,
    stageStart: Uint256,
    beneficiary: checksummed,
    count: Uint256
  }),
  problems: [...getRevnet.problems, "NOTHING_TO_AUTO_ISSUE", "STAGE_NOT_STARTED"]
})

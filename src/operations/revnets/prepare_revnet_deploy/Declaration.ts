import { Schema } from "effect"
import { ObservedOf } from "../../../values/Observed.ts"
import { Address, ChainId, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declarePlan } from "../../framework/PlanOperation.ts"
import {
  AccountingContextInput,
  baseShopFlags,
  Currency,
  Splits,
  shopConfiguration,
  U32Integer
} from "../../shared/inputs/Configuration.ts"
import {
  distinct,
  Hash,
  int,
  list,
  optional,
  SomeAddress,
  text,
  Uri,
  uint,
  withDefault
} from "../../shared/inputs/Parts.ts"
import { MOST_STAGES } from "../Inputs.ts"

const AutoIssuance = strict({ chainId: ChainId, count: uint(104), beneficiary: SomeAddress })

const Stage = strict({
  startsAtOrAfter: uint(48, 1),
  autoIssuances: list(AutoIssuance, 32),
  splitPercent: int(0, 10_000),
  splits: Splits,
  initialIssuance: uint(112),
  issuanceCutFrequency: U32Integer,
  issuanceCutPercent: int(0, 1_000_000_000),
  cashOutTaxRate: int(0, 9_999),
  extraMetadata: int(0, 16_383)
}).pipe(
  Schema.filter(({ splitPercent, splits }) => splitPercent === 0 || splits.length > 0, {
    jsonSchema: {},
    message: () => "splits, where a percentage goes to them"
  })
)

const Stages = list(Stage, MOST_STAGES, 1).pipe(
  Schema.filter(
    stages =>
      stages.every(
        ({ startsAtOrAfter }, index) =>
          index === 0 || BigInt(startsAtOrAfter) > BigInt(stages[index - 1]?.startsAtOrAfter ?? 0)
      ),
    { jsonSchema: {}, message: () => "stages whose starts increase" }
  )
)

const Revnet = strict({
  description: strict({ name: text(256, 1), ticker: text(32, 1), uri: Uri, salt: Hash }),
  baseCurrency: Currency,
  operator: Address,
  scopeCashOutsToLocalBalances: Schema.Boolean,
  stageConfigurations: Stages
})

const SUCKERS_ALLOWED = 4

const allowsSuckers = ({ extraMetadata }: typeof Stage.Type) => (extraMetadata & SUCKERS_ALLOWED) !== 0

/** Suckers refuse less, for the native token too. */
const LEAST_GAS = 200_000

const MOST_GAS = 4_294_967_295

const SuckerDeployer = strict({
  deployer: Address,
  peer: Hash,
  mappings: list(strict({ localToken: Address, minGas: int(LEAST_GAS, MOST_GAS), remoteToken: Hash }), 16, 1)
})

const Suckers = strict({ salt: Hash, deployerConfigurations: list(SuckerDeployer, 16) })

const NO_SUCKERS: typeof Suckers.Type = { salt: `0x${"00".repeat(32)}`, deployerConfigurations: [] }

const RevnetShop = strict({
  baseline: strict(shopConfiguration(baseShopFlags)),
  salt: Hash,
  preventOperatorAdjustingTiers: Schema.Boolean,
  preventOperatorUpdatingMetadata: Schema.Boolean,
  preventOperatorMinting: Schema.Boolean,
  preventOperatorIncreasingDiscountPercent: Schema.Boolean
})

const AllowedPost = strict({
  category: int(0, 16_777_215),
  minimumPrice: uint(104),
  minimumTotalSupply: int(1, 4_294_967_295),
  maximumTotalSupply: U32Integer,
  maximumSplitPercent: U32Integer,
  allowedAddresses: list(Address, 32)
})

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
  plan: "revnet_deploy",
  sources: ["onchain"],
  title: "Prepare a revnet",
  description: "Plans the deployment of a revnet with its stages, terminals, bridges and shop.",
  input: strict({
    chainId: ChainId,
    account: Address,
    config: Revnet,
    accountingContexts: distinct(list(AccountingContextInput, 16, 1), ({ token }) => token),
    suckerConfig: withDefault(Suckers, NO_SUCKERS),
    tiered721Config: optional(RevnetShop),
    allowedPosts: withDefault(list(AllowedPost, 16), [])
  }).pipe(
    Schema.filter(
      ({ config, suckerConfig: { deployerConfigurations, salt } }) =>
        deployerConfigurations.length === 0 ||
        (BigInt(salt) > 0n && config.stageConfigurations.every(allowsSuckers)),
      {
        jsonSchema: {},
        message: () => "a salt and stages that allow suckers (4 in extraMetadata), with suckers"
      }
    ),
    Schema.filter(
      ({ allowedPosts, tiered721Config }) => allowedPosts.length === 0 || tiered721Config !== undefined,
      { jsonSchema: {}, message: () => "a shop to post to, with allowed posts" }
    )
  ),
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

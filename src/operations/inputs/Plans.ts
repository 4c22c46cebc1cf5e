import { Schema } from "effect"
import { Address, ChainId, PositiveUint256, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import type { PlanId } from "../framework/OperationTable.ts"
import {
  AccountingContext,
  baseShopFlags,
  Currency,
  RulesetConfiguration,
  ShopRulesetConfiguration,
  Splits,
  TerminalConfigurations,
  Tiers,
  U32Integer
} from "./Configuration.ts"
import { cashOut, loan, Memo, pay, payout, rulesetChange, shopPay } from "./Quotes.ts"
import {
  distinct,
  Hash,
  int,
  list,
  optional,
  Project,
  SlippageBps,
  SomeAddress,
  text,
  uint,
  withDefault
} from "./Shared.ts"

const TwapWindow = int(300, 172_800).annotations({ description: "seconds from 300 to 172800" })
const Uri = text(4096)
const Rulesets = list(RulesetConfiguration, 16, 1)

interface Limited {
  readonly rulesetConfigurations: ReadonlyArray<{
    readonly fundAccessLimitGroups: ReadonlyArray<{ readonly terminal: string; readonly token: string }>
  }>
  readonly terminalConfigurations: ReadonlyArray<{
    readonly terminal: string
    readonly accountingContextsToAccept: ReadonlyArray<{ readonly token: string }>
  }>
}

const isAccepted = ({ rulesetConfigurations, terminalConfigurations }: Limited): boolean => {
  const accepted = terminalConfigurations.flatMap(({ terminal, accountingContextsToAccept }) =>
    accountingContextsToAccept.map(({ token }) => terminal + token)
  )
  return rulesetConfigurations
    .flatMap(({ fundAccessLimitGroups }) => fundAccessLimitGroups)
    .every(({ terminal, token }) => accepted.includes(terminal + token))
}

const limitsOnlyWhereAccepted = <A extends Limited, I>(launch: Schema.Schema<A, I>) =>
  launch.pipe(
    Schema.filter(isAccepted, {
      jsonSchema: {},
      message: () => "fund access limits only of terminals and tokens that the launch accepts"
    })
  )

const Claim = strict({
  token: Address,
  leaf: strict({
    index: uint(32),
    beneficiary: Hash,
    projectTokenCount: PositiveUint256,
    terminalTokenAmount: Uint256,
    metadata: Hash
  }),
  proof: list(Hash, 32, 32)
})

const MAXIMUM_TIERS = 100

const shopConfiguration = <Flags extends Schema.Struct.Fields>(flags: Flags) => ({
  name: text(256, 1),
  symbol: text(32, 1),
  baseUri: Uri,
  tokenUriResolver: Address,
  contractUri: Uri,
  tiersConfig: strict({ tiers: Tiers(MAXIMUM_TIERS), currency: Currency, decimals: int(0, 18) }),
  flags: strict(flags)
})

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

const Stages = list(Stage, 16, 1).pipe(
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

/** What each operation that is prepared as a plan takes. */
export const planInputs = {
  prepare_pay: strict(pay),
  prepare_cash_out: strict({ ...cashOut, account: Address }),
  prepare_payout: strict(payout),
  prepare_ruleset_change: strict({ ...rulesetChange, memo: Memo }),
  prepare_launch: strict({
    chainId: ChainId,
    account: Address,
    owner: SomeAddress,
    composition: Schema.Literal("core"),
    projectUri: Uri,
    rulesetConfigurations: Rulesets,
    terminalConfigurations: TerminalConfigurations,
    memo: Memo
  }).pipe(limitsOnlyWhereAccepted),
  prepare_borrow: strict({ ...loan, account: Address, slippageBps: SlippageBps }),
  prepare_repay: strict({
    chainId: ChainId,
    loanId: PositiveUint256,
    account: Address,
    maxRepayBorrowAmount: PositiveUint256,
    collateralCountToReturn: Uint256,
    beneficiary: SomeAddress
  }),
  prepare_bridge_claim: strict({ project: Project, account: Address, sucker: Address, claim: Claim }),
  prepare_accounting_sync: strict({
    project: Project,
    account: Address,
    sucker: Address,
    maxTransportValue: Uint256
  }),
  prepare_buyback_pool: strict({
    project: Project,
    account: Address,
    terminalToken: SomeAddress,
    fee: int(0, 1_000_000),
    tickSpacing: int(1, 32_767),
    twapWindowSeconds: TwapWindow
  }),
  prepare_buyback_twap: strict({
    project: Project,
    account: Address,
    terminalToken: SomeAddress,
    twapWindowSeconds: TwapWindow
  }),
  prepare_buyback_hook: strict({ project: Project, account: Address, hook: Address }),
  prepare_router_terminal: strict({ project: Project, account: Address, terminal: Address }),
  prepare_721_pay: strict(shopPay),
  prepare_adjust_tiers: strict({
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
  prepare_721_launch: strict({
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
  prepare_revnet_deploy: strict({
    chainId: ChainId,
    account: Address,
    config: Revnet,
    accountingContexts: distinct(list(AccountingContext, 16, 1), ({ token }) => token),
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
  prepare_auto_issue: strict({
    project: Project,
    account: Address,
    stageId: PositiveUint256,
    beneficiary: Address
  })
} as const satisfies Record<PlanId, Schema.Schema.AnyNoContext>

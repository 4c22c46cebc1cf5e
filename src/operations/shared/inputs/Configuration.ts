/** Ruleset, terminal and shop configurations as the contracts take them. */
import { Schema } from "effect"
import { rulesetFlags } from "../../../protocol/RulesetMetadata.ts"
import { Address, Uint256, ZERO_ADDRESS } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { distinct, Hash, int, list, SomeAddress, text, Uri, uint } from "./Parts.ts"

const BILLION = 1_000_000_000
const U32 = 4_294_967_295
const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"

export const U32Integer = int(0, U32)
export const Currency = int(1, U32)

const rule = (message: string) => ({ jsonSchema: {}, message: () => message })

export const SplitInput = strict({
  percent: int(1, BILLION),
  projectId: uint(64),
  beneficiary: Address,
  preferAddToBalance: Schema.Boolean,
  lockedUntil: uint(48),
  hook: Address
})
  .pipe(
    Schema.filter(
      ({ beneficiary, hook, projectId }) =>
        beneficiary !== ZERO_ADDRESS || (hook !== ZERO_ADDRESS && projectId === "0"),
      rule("a beneficiary, which only a split to a hook without a project can do without")
    )
  )
  .annotations({ identifier: "SplitConfiguration" })

export const MOST_SPLITS = 32
export const MOST_SPLIT_GROUPS = 32
/** Queued at once. */
export const MOST_QUEUED = 16

export const Splits = list(SplitInput, MOST_SPLITS).pipe(
  Schema.filter(
    splits => splits.reduce((sum, { percent }) => sum + percent, 0) <= BILLION,
    rule("splits of at most 1000000000 in all")
  )
)

const SplitGroup = strict({ groupId: Uint256, splits: Splits }).annotations({
  identifier: "SplitGroupConfiguration"
})

const CurrencyAmount = strict({ amount: uint(224), currency: U32Integer })

const Amounts = list(CurrencyAmount, 32).pipe(
  Schema.filter(
    amounts =>
      amounts.every(({ currency }, index) => index === 0 || currency > (amounts[index - 1]?.currency ?? 0)),
    rule("amounts whose currencies increase")
  )
)

const FundAccessGroup = strict({
  terminal: SomeAddress,
  token: SomeAddress,
  payoutLimits: Amounts,
  surplusAllowances: Amounts
}).annotations({ identifier: "FundAccessLimitGroupConfiguration" })

const metadataFields = {
  reservedPercent: int(0, 10_000),
  cashOutTaxRate: int(0, 10_000),
  baseCurrency: U32Integer,
  ...rulesetFlags,
  dataHook: Address,
  metadata: int(0, 16_383)
}

const RulesetMetadata = strict(metadataFields)
  .pipe(
    Schema.filter(
      ({ dataHook, useDataHookForPay, useDataHookForCashOut }) =>
        dataHook !== ZERO_ADDRESS || !(useDataHookForPay || useDataHookForCashOut),
      rule("a data hook, where one is to be used")
    )
  )
  .annotations({ identifier: "RulesetMetadataConfiguration" })

const { dataHook: _, useDataHookForPay: __, ...ownMetadataFields } = metadataFields

/** The 721 deployer sets the data hook itself. */
const ShopRulesetMetadata = strict(ownMetadataFields).annotations({
  identifier: "ShopRulesetMetadataConfiguration"
})

const rulesetWith = <A, I>(metadata: Schema.Schema<A, I>) =>
  strict({
    mustStartAtOrAfter: uint(48),
    duration: U32Integer,
    weight: uint(112),
    weightCutPercent: int(0, BILLION),
    approvalHook: Address,
    metadata,
    splitGroups: distinct(list(SplitGroup, MOST_SPLIT_GROUPS), ({ groupId }) => groupId),
    fundAccessLimitGroups: distinct(list(FundAccessGroup, 32), ({ terminal, token }) => terminal + token)
  }).pipe(
    Schema.filter(
      ({ duration, mustStartAtOrAfter }) => BigInt(mustStartAtOrAfter) + BigInt(duration) < 1n << 48n,
      rule("a ruleset that ends within 48 bits of seconds")
    )
  )

export const RulesetConfiguration = rulesetWith(RulesetMetadata).annotations({
  identifier: "RulesetConfiguration"
})
export type RulesetConfiguration = typeof RulesetConfiguration.Type

export const ShopRulesetConfiguration = rulesetWith(ShopRulesetMetadata).annotations({
  identifier: "ShopRulesetConfiguration"
})

export const AccountingContextInput = strict({
  token: SomeAddress,
  decimals: int(0, 36),
  currency: Currency
})
  .pipe(
    Schema.filter(
      ({ decimals, token }) => token !== NATIVE_TOKEN || decimals === 18,
      rule("18 decimals for the native token")
    )
  )
  .annotations({ identifier: "AccountingContextConfiguration" })
export type AccountingContextInput = typeof AccountingContextInput.Type

const TerminalConfiguration = strict({
  terminal: SomeAddress,
  accountingContextsToAccept: distinct(list(AccountingContextInput, 32), ({ token }) => token)
}).annotations({ identifier: "TerminalConfiguration" })

export type TerminalConfiguration = typeof TerminalConfiguration.Type

export const TerminalConfigurations = distinct(list(TerminalConfiguration, 32), ({ terminal }) => terminal)

const TierConfiguration = strict({
  price: uint(104),
  initialSupply: int(1, 999_999_999),
  votingUnits: U32Integer,
  reserveFrequency: int(0, 65_535),
  reserveBeneficiary: Address,
  encodedIpfsUri: Hash,
  category: int(0, 16_777_215),
  discountPercent: int(0, 200),
  flags: strict({
    allowOwnerMint: Schema.Boolean,
    useReserveBeneficiaryAsDefault: Schema.Boolean,
    transfersPausable: Schema.Boolean,
    useVotingUnits: Schema.Boolean,
    cantBeRemoved: Schema.Boolean,
    cantIncreaseDiscountPercent: Schema.Boolean,
    cantBuyWithCredits: Schema.Boolean
  }),
  splitPercent: int(0, BILLION),
  splits: Splits
})
  .pipe(
    Schema.filter(
      ({ initialSupply, reserveFrequency }) => initialSupply !== 1 || reserveFrequency === 0,
      rule("no reserves in a tier of one")
    )
  )
  .annotations({ identifier: "TierConfiguration" })
export type TierConfiguration = typeof TierConfiguration.Type

/** The store takes tiers only in the order of their categories. */
export const Tiers = (longest: number) =>
  list(TierConfiguration, longest).pipe(
    Schema.filter(
      tiers => tiers.every(({ category }, index) => category >= (tiers[index - 1]?.category ?? 0)),
      rule("tiers ordered by category")
    )
  )

export const baseShopFlags = {
  noNewTiersWithReserves: Schema.Boolean,
  noNewTiersWithVotes: Schema.Boolean,
  noNewTiersWithOwnerMinting: Schema.Boolean,
  preventOverspending: Schema.Boolean
}

const MAXIMUM_TIERS = 100

export const shopConfiguration = <Flags extends Schema.Struct.Fields>(flags: Flags) => ({
  name: text(256, 1),
  symbol: text(32, 1),
  baseUri: Uri,
  tokenUriResolver: Address,
  contractUri: Uri,
  tiersConfig: strict({ tiers: Tiers(MAXIMUM_TIERS), currency: Currency, decimals: int(0, 18) }),
  flags: strict(flags)
})

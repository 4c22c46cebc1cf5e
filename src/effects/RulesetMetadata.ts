/** A ruleset's metadata as its configuration spells it out and as the protocol packs it into one word. */
import { Schema } from "effect"

export const RulesetMetadata = Schema.Struct({
  reservedPercent: Schema.String,
  cashOutTaxRate: Schema.String,
  baseCurrency: Schema.String,
  pausePay: Schema.Boolean,
  pauseCreditTransfers: Schema.Boolean,
  allowOwnerMinting: Schema.Boolean,
  allowSetCustomToken: Schema.Boolean,
  allowTerminalMigration: Schema.Boolean,
  allowSetTerminals: Schema.Boolean,
  allowSetController: Schema.Boolean,
  allowAddAccountingContext: Schema.Boolean,
  allowAddPriceFeed: Schema.Boolean,
  ownerMustSendPayouts: Schema.Boolean,
  holdFees: Schema.Boolean,
  scopeCashOutsToLocalBalances: Schema.Boolean,
  useDataHookForPay: Schema.Boolean,
  useDataHookForCashOut: Schema.Boolean,
  dataHook: Schema.String,
  metadata: Schema.String
})
type RulesetMetadata = typeof RulesetMetadata.Type

/** Of the packing itself, in the lowest four bits. */
const VERSION = 1n
const USER_BITS = 0x3fffn

/** From bit 68 on. */
const flagsOf = (metadata: RulesetMetadata): ReadonlyArray<boolean> => [
  metadata.pausePay,
  metadata.pauseCreditTransfers,
  metadata.allowOwnerMinting,
  metadata.allowSetCustomToken,
  metadata.allowTerminalMigration,
  metadata.allowSetTerminals,
  metadata.allowSetController,
  metadata.allowAddAccountingContext,
  metadata.allowAddPriceFeed,
  metadata.ownerMustSendPayouts,
  metadata.holdFees,
  metadata.scopeCashOutsToLocalBalances,
  metadata.useDataHookForPay,
  metadata.useDataHookForCashOut
]

const pack = (metadata: RulesetMetadata): bigint =>
  flagsOf(metadata).reduce(
    (bits, flag, index) => (flag ? bits | (1n << BigInt(68 + index)) : bits),
    VERSION |
      (BigInt(metadata.reservedPercent) << 4n) |
      (BigInt(metadata.cashOutTaxRate) << 20n) |
      (BigInt(metadata.baseCurrency) << 36n) |
      (BigInt(metadata.dataHook) << 82n) |
      ((BigInt(metadata.metadata) & USER_BITS) << 242n)
  )

export const isPackedAs =
  (metadata: RulesetMetadata) =>
  (word: unknown): boolean =>
    typeof word === "string" && BigInt(word) === pack(metadata)

/** A ruleset's metadata: its members, and how the protocol packs them into one word. */
import { Schema, Struct } from "effect"
import { Address, Uint256 } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"

/** In the order of their bits. */
export const rulesetFlags = {
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
  useDataHookForCashOut: Schema.Boolean
}

export const RulesetMetadata = strict({
  reservedPercent: Uint256,
  cashOutTaxRate: Uint256,
  baseCurrency: Uint256,
  ...rulesetFlags,
  dataHook: Address,
  metadata: Uint256
}).annotations({
  identifier: "RulesetMetadata",
  description: "The reserved percent and the cash-out tax rate are of 10000."
})
export type RulesetMetadata = typeof RulesetMetadata.Type

/** Of the packing itself, in the lowest four bits. */
const VERSION = 1n
const FIRST_FLAG = 68n
const USER_BITS = 0x3fffn

const pack = (metadata: RulesetMetadata): bigint =>
  Struct.keys(rulesetFlags).reduce(
    (bits, flag, index) => (metadata[flag] ? bits | (1n << (FIRST_FLAG + BigInt(index))) : bits),
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

/** What the core contracts tell of a project, as their ABI names it. */
import { Schema } from "effect"
import { Address, Uint256 } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"

export const Ruleset = strict({
  cycleNumber: Uint256,
  id: Uint256,
  basedOnId: Uint256,
  start: Uint256,
  duration: Uint256,
  weight: Uint256,
  weightCutPercent: Uint256,
  approvalHook: Address,
  metadata: Uint256
}).annotations({
  identifier: "Ruleset",
  description:
    "Times and durations in seconds; weight with 18 decimals per unit of the base currency; cuts of 1000000000."
})
export type Ruleset = typeof Ruleset.Type

export const RulesetMetadata = strict({
  reservedPercent: Uint256,
  cashOutTaxRate: Uint256,
  baseCurrency: Uint256,
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
  dataHook: Address,
  metadata: Uint256
}).annotations({
  identifier: "RulesetMetadata",
  description: "The reserved percent and the cash-out tax rate are of 10000."
})
export type RulesetMetadata = typeof RulesetMetadata.Type

/** `ruleset.id` is zero where there is none. */
export const RulesetWithMetadata = strict({ ruleset: Ruleset, metadata: RulesetMetadata }).annotations({
  identifier: "RulesetWithMetadata"
})
export type RulesetWithMetadata = typeof RulesetWithMetadata.Type

/** The contracts answer an id that was never queued with a ruleset of no cycle. */
export const wasQueued = ({ ruleset }: RulesetWithMetadata): boolean => ruleset.cycleNumber !== "0"

export const Split = strict({
  percent: Uint256,
  projectId: Uint256,
  beneficiary: Address,
  preferAddToBalance: Schema.Boolean,
  lockedUntil: Uint256,
  hook: Address
}).annotations({ identifier: "Split", description: "Its percent is of 1000000000." })
export type Split = typeof Split.Type

export const AccountingContext = strict({
  token: Address,
  decimals: Uint256,
  currency: Uint256
}).annotations({ identifier: "AccountingContext" })
export type AccountingContext = typeof AccountingContext.Type

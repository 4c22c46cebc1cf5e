/** What the core contracts tell of a project, as their ABI names it. */
import { Schema } from "effect"
import { Address, Uint256 } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { RulesetMetadata } from "./RulesetMetadata.ts"

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

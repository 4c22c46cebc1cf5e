/** What a terminal says a call would do, and the hooks that it would hand over to. */
import { Effect, Schema } from "effect"
import { SimulationReverted } from "../../plans/refusals.ts"
import type { ReadFailure } from "../../protocol/PinnedContracts.ts"
import { Ruleset } from "../../protocol/ProjectRecords.ts"
import { Address, Hex, Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { InvalidPreview } from "./refusals.ts"

/** Only a spec that is no noop acts. */
export const HookSpecification = strict({
  hook: Schema.typeSchema(Address),
  noop: Schema.Boolean,
  amount: Uint256,
  metadata: Hex
}).annotations({ identifier: "HookSpecification" })
export type HookSpecification = typeof HookSpecification.Type

const HookSpecifications = Schema.Array(HookSpecification)

export const PayPreview = strict({
  ruleset: Ruleset,
  beneficiaryTokenCount: Uint256,
  reservedTokenCount: Uint256,
  hookSpecifications: HookSpecifications
})
export type PayPreview = typeof PayPreview.Type

export const CashOutPreview = strict({
  ruleset: Ruleset,
  reclaimAmount: Uint256,
  cashOutTaxRate: Uint256,
  hookSpecifications: HookSpecifications
})
export type CashOutPreview = typeof CashOutPreview.Type

/** A revert of what the quote is about is an answer, and no better at another time. */
export const simulated = <A>(call: Effect.Effect<A, ReadFailure>) =>
  Effect.catchTag(
    call,
    "CALL_REVERTED",
    ({ detail, context = {} }) =>
      new SimulationReverted({ context, ...(detail === undefined ? {} : { detail }) })
  )

export const requireCurrent = ({ id }: Ruleset, current: Ruleset) =>
  id === current.id
    ? Effect.void
    : new InvalidPreview({ context: { previewedRulesetId: id, currentRulesetId: current.id } })

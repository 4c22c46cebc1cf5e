import { Schema } from "effect"
import { Split } from "../../protocol/ProjectRecords.ts"
import { ObservedOf } from "../../values/Observed.ts"
import { Uint256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { ApprovalName } from "./Records.ts"

const Changes = Schema.Array(
  strict({
    field: Schema.String,
    current: Schema.NullOr(Schema.String),
    proposed: Schema.NullOr(Schema.String)
  })
)

const Following = strict({ start: Uint256, cycleNumber: Uint256, weight: Uint256 }).annotations({
  description: "if it were queued in this block and nothing stood between it and the running ruleset"
})

export const EconomicChange = strict({
  configurationIndex: Schema.Int,
  comparedWith: Schema.Literal("current", "previous-configuration"),
  changes: Changes,
  limitChanges: ObservedOf(Changes),
  weightResolution: Schema.Literal("explicit", "zero", "inherit-decayed"),
  proposedStartLowerBound: Uint256,
  ifFollowingCurrent: Schema.NullOr(Following).annotations({
    description:
      "null where no ruleset is running, its approval hook is not known, another configuration comes first, or the weight has to be cached first"
  })
})

const LockChange = strict({
  groupId: Uint256,
  removedOrWeakenedLockedSplits: ObservedOf(Schema.Array(Split)),
  usesFallbackSplits: Schema.Boolean
})

export const LockChanges = Schema.Array(
  strict({ configurationIndex: Schema.Int, groups: ObservedOf(Schema.Array(LockChange)) })
)

export const LatestApproval = ObservedOf(
  strict({ value: Schema.Int, name: ApprovalName, scope: Schema.Literal("latest queued ruleset") })
)

export const Timing = strict({
  status: Schema.Literal("unresolved-until-execution"),
  facts: Schema.Array(Schema.String)
})

export const queueing = { required: Schema.Literal("QUEUE_RULESETS"), id: Schema.Literal(2) }

export const Authority = Schema.Literal("owner", "omnichain-operator", "permission")

import { Schema } from "effect"
import { ObservedOf } from "../../../values/Observed.ts"
import { Address, Uint256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declarePlan } from "../../framework/PlanOperation.ts"
import { Memo } from "../../shared/inputs/Parts.ts"
import { rulesetChange } from "../Inputs.ts"
import { Authority, EconomicChange, LatestApproval, LockChanges, queueing, Timing } from "../Schemas.ts"

const checksummed = Schema.typeSchema(Address)

export const prepareRulesetChange = declarePlan({
  id: "prepare_ruleset_change",
  plan: "ruleset-change",
  sources: ["onchain"],
  title: "Prepare a ruleset change",
  description: "Plans the queueing of rulesets by an account that may.",
  input: strict({ ...rulesetChange, memo: Memo }),
  summary: strict({
    controller: checksummed,
    permission: strict({ ...queueing, by: Authority }),
    currentRulesetId: Schema.NullOr(Uint256),
    upcomingRulesetId: ObservedOf(Schema.NullOr(Uint256)),
    latestRulesetIds: ObservedOf(strict({ items: Schema.Array(Uint256), truncated: Schema.Boolean })),
    rulesetCount: Schema.Int,
    economicChanges: Schema.Array(EconomicChange),
    lockChanges: LockChanges,
    latestApprovalStatus: LatestApproval,
    timing: Timing,
    rulesetIdResolution: Schema.String
  }).annotations({ identifier: "RulesetChangeSummary" }),
  problems: [
    "PROJECT_NOT_FOUND",
    "PROJECT_WITHOUT_CONTROLLER",
    "UNSUPPORTED_CONTROLLER",
    "CONFIGURATION_TOO_LARGE",
    "PERMISSION_DENIED"
  ]
})

/** A plan of one call that queues rulesets; what it would change is read beside its simulation. */

import { Effect } from "effect"
import { mapObserved } from "../../../projects/Observations.ts"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { required } from "../../../values/Observed.ts"
import { definePlan } from "../../framework/DefinePlan.ts"
import { keptAwayBy } from "../../framework/OperationProblems.ts"
import { MAY_QUEUE_RULESETS } from "../ProjectState.ts"
import { queueCalls } from "../QueueCall.ts"
import { rulesetChangeAt } from "../RulesetChange.ts"
import { PermissionDenied } from "../refusals.ts"
import { prepareRulesetChange } from "./Declaration.ts"
import { prepareRulesetChangeEffects } from "./Effects.ts"

type Input = typeof prepareRulesetChange.input.Type

const RESOLUTION = "The id of the last queued ruleset is in the QueueRulesets event of the receipt."

/** Two round trips; a third one where a terminal is not the canonical one. */
const tell = Effect.fn("Rulesets.tellChange")(function* (input: Input, snapshot: PinnedSnapshot) {
  const { project, account, rulesetConfigurations } = input
  const change = yield* rulesetChangeAt(snapshot, { project, account, rulesetConfigurations })
  const by = yield* required(change.permission.by, keptAwayBy(prepareRulesetChange))
  if (by === null)
    return yield* new PermissionDenied({
      context: { account, projectId: project.projectId, permissionId: MAY_QUEUE_RULESETS }
    })
  const { controller, current, economicChanges, lockChanges, latestApprovalStatus, timing } = change
  return {
    summary: {
      controller,
      permission: { required: change.permission.required, id: change.permission.id, by },
      currentRulesetId: current.ruleset?.id ?? null,
      upcomingRulesetId: mapObserved(change.upcoming, found => found?.ruleset.id ?? null),
      latestRulesetIds: mapObserved(change.latestRulesets, ({ items, truncated }) => ({
        items: items.map(({ ruleset }) => ruleset.id),
        truncated
      })),
      rulesetCount: rulesetConfigurations.length,
      economicChanges,
      lockChanges,
      latestApprovalStatus,
      timing,
      rulesetIdResolution: RESOLUTION
    },
    warnings: change.warnings
  }
})

export const runPrepareRulesetChange = definePlan(
  prepareRulesetChange,
  prepareRulesetChangeEffects,
  (input, snapshot) => Effect.succeed({ calls: queueCalls(input), told: tell(input, snapshot) })
)

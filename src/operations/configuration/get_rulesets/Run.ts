/** A page of a project's rulesets; nothing that is asked waits for an answer. */
import { Effect, Schema } from "effect"
import { coverageOf } from "../../../projects/Observations.ts"
import { PinnedContracts } from "../../../protocol/PinnedContracts.ts"
import { RulesetWithMetadata, wasQueued } from "../../../protocol/ProjectRecords.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { readController } from "../../shared/context/Core.ts"
import { getRulesets } from "./Declaration.ts"

const NOTES = [
  "Each ruleset is as it was queued: its start, weight and cycle number are those of its first cycle.",
  "Later cycles follow from its duration and weight cut; get_project shows the running one.",
  "A ruleset that was queued may never have been approved."
]

type Page = ReadonlyArray<RulesetWithMetadata>

const nextAfter = (page: Page, limit: number): string | null => {
  const basedOnId = page.at(-1)?.ruleset.basedOnId ?? "0"
  return page.length < limit || basedOnId === "0" ? null : basedOnId
}

export const runGetRulesets = defineOperation(getRulesets, ({ project, limit, startingId = "0" }) =>
  Effect.gen(function* () {
    const { projectId } = project
    const snapshot = yield* (yield* PinnedContracts).snapshotOf(project.chainId)
    const args = [projectId, startingId, String(limit)] as const
    const answers = yield* eachAtOnce({
      controller: readController(snapshot, projectId),
      rulesets: snapshot.read("JBController", "allRulesetsOf", args, Schema.Array(RulesetWithMetadata))
    })
    const controller = yield* answers.controller
    const items = (yield* answers.rulesets).filter(wasQueued)
    const nextStartingId = nextAfter(items, limit)
    return {
      project,
      evidence: [snapshot.evidence],
      controller,
      page: { items, nextStartingId, order: "newest-first" as const },
      coverage: coverageOf({}, NOTES)
    }
  })
)

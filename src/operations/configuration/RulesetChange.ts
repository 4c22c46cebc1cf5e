/** What queueing rulesets would change, for its preview and for its plan. */
import { Effect } from "effect"
import { andThenObserved, mapObserved } from "../../projects/Observations.ts"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { wasQueued } from "../../protocol/ProjectRecords.ts"
import type { Observed } from "../../values/Observed.ts"
import type { RulesetConfiguration } from "../shared/inputs/Configuration.ts"
import { changeWarnings } from "./ChangeWarnings.ts"
import {
  changesBetween,
  fieldsOf,
  fieldsOfCurrent,
  ifFollowing,
  knownLimits,
  limitChanges,
  weightResolution
} from "./Compare.ts"
import { delaysOn } from "./Deadlines.ts"
import { lockChanges } from "./Locks.ts"
import {
  approvalOf,
  MAY_QUEUE_RULESETS,
  MOST_RULESETS,
  type ProjectState,
  readState
} from "./ProjectState.ts"
import type { previewRulesetChange } from "./preview_ruleset_change/Declaration.ts"
import { rulesetSplitWarnings } from "./SplitWarnings.ts"
import type { DelayOf, Queued } from "./Succession.ts"
import { successionWarnings } from "./SuccessionWarnings.ts"

type Input = typeof previewRulesetChange.input.Type
type Preview = typeof previewRulesetChange.output.Type
type Configurations = ReadonlyArray<RulesetConfiguration>

const TIMING = {
  status: "unresolved-until-execution" as const,
  facts: [
    "A base ruleset without duration is replaced at the latest of mustStartAtOrAfter, its own start and the end of its approval hook's time.",
    "A base ruleset with a duration is replaced at the first boundary of its cycles at or after mustStartAtOrAfter and the end of its approval hook's time.",
    "A mustStartAtOrAfter of 0 means the time of execution.",
    "The approval hook's time ends its DURATION() after the ruleset was queued.",
    "A base that is rejected, or not approved in time, is skipped for the ruleset that it was based on."
  ]
}

const COMPARISON_SCOPE = [
  "The first configuration is compared with the current ruleset, every other one with the configuration before it.",
  "Limits are compared for each terminal, token and currency; one that is not listed counts as zero.",
  "Locked splits are those of the current ruleset that are still locked at the block, in the groups of reserved tokens, of every accounting context and of every proposed group."
]

const asked = ({ project, account, rulesetConfigurations }: Input) => ({
  projectId: project.projectId,
  account,
  proposedGroups: rulesetConfigurations.flatMap(({ splitGroups }) => splitGroups.map(each => each.groupId))
})

const later = (a: bigint, b: bigint): bigint => (a > b ? a : b)

const economicChangesOf = (
  state: ProjectState,
  configurations: Configurations,
  now: bigint,
  delayOf: DelayOf
) =>
  configurations.map((configuration, index): Preview["economicChanges"][number] => {
    const before = configurations[index - 1]
    const limits =
      before === undefined
        ? knownLimits(state.limits)
        : { status: "known" as const, value: before.fundAccessLimitGroups }
    return {
      configurationIndex: index,
      comparedWith: before === undefined ? "current" : "previous-configuration",
      changes: changesBetween(
        before === undefined ? fieldsOfCurrent(state.current) : fieldsOf(before),
        fieldsOf(configuration)
      ),
      limitChanges: limitChanges(limits, configuration.fundAccessLimitGroups),
      weightResolution: weightResolution(configuration),
      proposedStartLowerBound: String(later(now, BigInt(configuration.mustStartAtOrAfter))),
      ifFollowingCurrent:
        before === undefined ? ifFollowing(state.current, configuration, now, delayOf) : null
    }
  })

const currentOf = ({ current, splitGroups, limits, terminals }: ProjectState) => ({
  ruleset: current?.ruleset ?? null,
  metadata: current?.metadata ?? null,
  splitGroups,
  fundAccessLimitGroups: limits,
  terminalContexts: terminals
})

const queueOf = ({ upcoming, latest, approval }: ProjectState) => ({
  upcoming: mapObserved(upcoming, found => (found.ruleset.id === "0" ? null : found)),
  latestRulesets: mapObserved(latest, found => ({
    items: found.slice(0, MOST_RULESETS),
    truncated: found.length > MOST_RULESETS
  })),
  latestApprovalStatus: approvalOf(approval)
})

/** The newest ruleset and what it is based on, as they were queued; only what is said of the newest one counts. */
const latestOf = ({ latest, approval }: ProjectState): Observed<Queued | undefined> =>
  andThenObserved(latest, found =>
    mapObserved(approval, told =>
      found.filter(wasQueued).reduceRight<Queued | undefined>(
        (base, { ruleset }) => ({
          id: BigInt(ruleset.id),
          start: BigInt(ruleset.start),
          duration: BigInt(ruleset.duration),
          approvalHook: ruleset.approvalHook,
          approval: Number(told),
          base
        }),
        undefined
      )
    )
  )

export const rulesetChangeAt = Effect.fn("Rulesets.change")(function* (
  snapshot: PinnedSnapshot,
  input: Input
) {
  const { project, account, rulesetConfigurations } = input
  const state = yield* readState(snapshot, asked(input))
  const now = snapshot.block.timestamp
  const locks = rulesetConfigurations.map(each => lockChanges(state.splitGroups, each, now))
  const preview: Preview = {
    project,
    account,
    controller: state.controller,
    permission: {
      required: "QUEUE_RULESETS",
      id: MAY_QUEUE_RULESETS,
      authorized: mapObserved(state.by, by => by !== null),
      by: state.by
    },
    currentRulesetStatus: state.current === null ? "none" : "active",
    current: currentOf(state),
    ...queueOf(state),
    proposed: rulesetConfigurations,
    economicChanges: economicChangesOf(state, rulesetConfigurations, now, delaysOn(snapshot)),
    lockChanges: locks.map((groups, configurationIndex) => ({ configurationIndex, groups })),
    timing: TIMING,
    comparisonScope: COMPARISON_SCOPE,
    evidence: [snapshot.evidence],
    warnings: [
      ...changeWarnings(rulesetConfigurations, locks),
      ...successionWarnings({
        latest: latestOf(state),
        configurations: rulesetConfigurations,
        now,
        delayOf: delaysOn(snapshot)
      }),
      ...rulesetSplitWarnings(rulesetConfigurations, {
        count: state.count,
        own: BigInt(project.projectId)
      })
    ]
  }
  return preview
})

import { ZERO_ADDRESS } from "../../values/Scalars.ts"
import type { RulesetConfiguration } from "../shared/inputs/Configuration.ts"
import type { FoundLockChanges } from "./Locks.ts"

const GENERAL = [
  "When a ruleset starts is decided when it is queued: by the approval hook and by the rulesets that are queued until then.",
  "Several configurations queue in order; one that may start before the one before it has run a cycle takes its place, unless that one is approved by then.",
  "An approval hook may reject a ruleset; it is then skipped for the one that it was based on.",
  "A split group that a ruleset does not set has the splits of ruleset 0, the fallback.",
  "A payout limit or surplus allowance that is not listed is zero while the ruleset lasts.",
  "Price feeds, terminals and their accounting contexts are not changed by rulesets and not compared."
]

const INHERITED_WEIGHT = "the weight is inherited from the ruleset before, cut as often as its cycles passed"
const INITIAL_WEIGHT = "the weight is literally 1, so that payments issue next to nothing"

/** A project's initial ruleset has none before it to inherit from. */
const configured = (
  { weight, approvalHook, metadata, splitGroups, fundAccessLimitGroups }: RulesetConfiguration,
  isInitial: boolean
) =>
  [
    [fundAccessLimitGroups.every(({ payoutLimits }) => payoutLimits.length === 0), "no payouts are possible"],
    [weight === "0", "payments issue no tokens"],
    [weight === "1", isInitial ? INITIAL_WEIGHT : INHERITED_WEIGHT],
    [
      metadata.useDataHookForPay || metadata.useDataHookForCashOut,
      "a data hook decides on payments or cash outs"
    ],
    [approvalHook !== ZERO_ADDRESS, "an approval hook judges the rulesets after it"],
    [
      splitGroups.some(({ splits }) => splits.some(({ hook }) => hook !== ZERO_ADDRESS)),
      "split hooks receive funds or tokens"
    ]
  ] as const

const areLocksUnread = (changes: FoundLockChanges): boolean =>
  changes.status === "unknown" ||
  changes.value.some(({ removedOrWeakenedLockedSplits: found }) => found.status === "unknown")

const locked = (changes: FoundLockChanges) => {
  const groups = changes.status === "known" ? changes.value : []
  return [
    [
      groups.some(
        ({ removedOrWeakenedLockedSplits: found }) => found.status === "known" && found.value.length > 0
      ),
      "locked splits of the current ruleset are removed or weakened"
    ],
    [areLocksUnread(changes), "whether locked splits of the current ruleset are kept could not be read"],
    [groups.some(({ usesFallbackSplits }) => usesFallbackSplits), "fallback splits are in effect for a group"]
  ] as const
}

type Conditions = ReadonlyArray<readonly [holds: boolean, what: string]>

/** One sentence for each condition, so that there are few however many configurations meet it. */
const said = (configurations: ReadonlyArray<Conditions>): ReadonlyArray<string> => {
  const meeting = new Map<string, ReadonlyArray<number>>()
  for (const [index, conditions] of configurations.entries())
    for (const [holds, what] of conditions)
      if (holds) meeting.set(what, [...(meeting.get(what) ?? []), index])
  return [...meeting].map(
    ([what, indexes]) => `Configuration${indexes.length === 1 ? "" : "s"} ${indexes.join(", ")}: ${what}.`
  )
}

/** What each configuration of a launch does by itself, for there is nothing that it replaces. */
export const configurationWarnings = (
  configurations: ReadonlyArray<RulesetConfiguration>
): ReadonlyArray<string> =>
  said(configurations.map((configuration, index) => configured(configuration, index === 0)))

export const changeWarnings = (
  configurations: ReadonlyArray<RulesetConfiguration>,
  changes: ReadonlyArray<FoundLockChanges>
): ReadonlyArray<string> => [
  ...GENERAL,
  ...said(
    configurations.map((configuration, index) => {
      const change = changes[index]
      return [...configured(configuration, false), ...(change === undefined ? [] : locked(change))]
    })
  )
]

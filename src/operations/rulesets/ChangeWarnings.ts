import { ZERO_ADDRESS } from "../../values/Scalars.ts"
import type { RulesetConfiguration } from "../inputs/Configuration.ts"
import type { LockChanges } from "./Locks.ts"

const GENERAL = [
  "When a ruleset starts is decided when it is queued: by the approval hook and by the rulesets that are queued until then.",
  "Several configurations queue in order, each based on the one before it.",
  "An approval hook may reject a ruleset; it is then skipped for the one that it was based on.",
  "A split group that a ruleset does not set has the splits of ruleset 0, the fallback.",
  "A payout limit or surplus allowance that is not listed is zero while the ruleset lasts.",
  "Price feeds, terminals and their accounting contexts are not changed by rulesets and not compared."
]

const configured = ({
  weight,
  approvalHook,
  metadata,
  splitGroups,
  fundAccessLimitGroups
}: RulesetConfiguration) =>
  [
    [fundAccessLimitGroups.every(({ payoutLimits }) => payoutLimits.length === 0), "no payouts are possible"],
    [weight === "0", "payments issue no tokens"],
    [weight === "1", "the weight is inherited from the ruleset before, cut as often as its cycles passed"],
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

const locked = (changes: LockChanges) => {
  const groups = changes.status === "known" ? changes.value : []
  return [
    [
      groups.some(
        ({ removedOrWeakenedLockedSplits: found }) => found.status === "known" && found.value.length > 0
      ),
      "locked splits of the current ruleset are removed or weakened"
    ],
    [groups.some(({ usesFallbackSplits }) => usesFallbackSplits), "fallback splits are in effect for a group"]
  ] as const
}

const MOST = 64

const said = (index: number, conditions: ReadonlyArray<readonly [boolean, string]>): ReadonlyArray<string> =>
  conditions.filter(([holds]) => holds).map(([, what]) => `Configuration ${index}: ${what}.`)

/** What each configuration does by itself, whatever it replaces. */
export const configurationWarnings = (
  configurations: ReadonlyArray<RulesetConfiguration>
): ReadonlyArray<string> =>
  configurations.flatMap((configuration, index) => said(index, configured(configuration)))

export const changeWarnings = (
  configurations: ReadonlyArray<RulesetConfiguration>,
  changes: ReadonlyArray<LockChanges>
): ReadonlyArray<string> =>
  [
    ...GENERAL,
    ...configurations.flatMap((configuration, index) => {
      const change = changes[index]
      return said(index, [...configured(configuration), ...(change === undefined ? [] : locked(change))])
    })
  ].slice(0, MOST)

/** Which locked splits of today a proposed ruleset would not keep. */
import { mapObserved } from "../../projects/Observations.ts"
import type { Split } from "../../protocol/ProjectRecords.ts"
import type { Observed } from "../../values/Observed.ts"
import type { RulesetConfiguration } from "../shared/inputs/Configuration.ts"
import type { CurrentGroup } from "./ProjectState.ts"

interface AnySplit {
  readonly percent: string | number
  readonly projectId: string
  readonly beneficiary: string
  readonly preferAddToBalance: boolean
  readonly lockedUntil: string
  readonly hook: string
}

const keeps = (locked: Split, proposed: AnySplit): boolean =>
  String(proposed.percent) === locked.percent &&
  proposed.projectId === locked.projectId &&
  proposed.beneficiary === locked.beneficiary &&
  proposed.preferAddToBalance === locked.preferAddToBalance &&
  proposed.hook === locked.hook &&
  BigInt(proposed.lockedUntil) >= BigInt(locked.lockedUntil)

const byLongestLock = (a: Split, b: Split): number => Number(BigInt(b.lockedUntil) - BigInt(a.lockedUntil))

/** The longest lock chooses first, and each proposed split keeps one locked split only. */
const weakenedLocks = (
  current: ReadonlyArray<Split>,
  proposed: ReadonlyArray<AnySplit>,
  now: bigint
): ReadonlyArray<Split> => {
  const left = [...proposed]
  const locked = current.filter(({ lockedUntil }) => BigInt(lockedUntil) > now).sort(byLongestLock)
  return locked.filter(split => {
    const kept = left.findIndex(each => keeps(split, each))
    if (kept >= 0) left.splice(kept, 1)
    return kept < 0
  })
}

/** A group that a ruleset does not set has the splits of ruleset 0. */
const lockChange = (group: CurrentGroup, { splitGroups }: RulesetConfiguration, now: bigint) => {
  const { groupId, splits, fallbackSplits } = group
  const proposed = splitGroups.find(each => each.groupId === groupId)?.splits ?? []
  const usesFallbackSplits = proposed.length === 0
  const removedOrWeakenedLockedSplits: Observed<ReadonlyArray<Split>> =
    splits.status === "unknown"
      ? splits
      : usesFallbackSplits
        ? mapObserved(fallbackSplits, found => weakenedLocks(splits.value, found, now))
        : { status: "known", value: weakenedLocks(splits.value, proposed, now) }
  return { groupId, removedOrWeakenedLockedSplits, usesFallbackSplits }
}

export const lockChanges = (
  groups: Observed<ReadonlyArray<CurrentGroup>>,
  configuration: RulesetConfiguration,
  now: bigint
) => mapObserved(groups, found => found.map(group => lockChange(group, configuration, now)))

export type FoundLockChanges = ReturnType<typeof lockChanges>

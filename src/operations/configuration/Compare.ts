/** What a proposed ruleset changes of the one that it is compared with. */
import { mapObserved } from "../../projects/Observations.ts"
import type { RulesetWithMetadata } from "../../protocol/ProjectRecords.ts"
import { known, type Observed } from "../../values/Observed.ts"
import { ZERO_ADDRESS } from "../../values/Scalars.ts"
import {
  cutsUntil,
  cycleNumberAt,
  INHERIT_WEIGHT,
  startAfter,
  weightAfterCuts
} from "../shared/economics/Weight.ts"
import type { RulesetConfiguration } from "../shared/inputs/Configuration.ts"
import type { CurrentLimits } from "./ProjectState.ts"
import type { DelayOf } from "./Succession.ts"

interface Change {
  readonly field: string
  readonly current: string | null
  readonly proposed: string | null
}

type Fields = ReadonlyMap<string, string>

const flattened = (entries: ReadonlyArray<readonly [string, unknown]>): Fields =>
  new Map(entries.map(([name, value]) => [name, String(value)]))

const metadataFields = (metadata: object) =>
  Object.entries(metadata).map(([name, value]): [string, unknown] => [`metadata.${name}`, value])

export const fieldsOfCurrent = (current: RulesetWithMetadata | null): Fields => {
  if (current === null) return new Map()
  const { duration, weight, weightCutPercent, approvalHook } = current.ruleset
  const own = Object.entries({ duration, weight, weightCutPercent, approvalHook })
  return flattened([...own, ...metadataFields(current.metadata)])
}

export const fieldsOf = (proposed: RulesetConfiguration): Fields => {
  const { duration, weight, weightCutPercent, approvalHook, metadata } = proposed
  const own = Object.entries({ duration, weight, weightCutPercent, approvalHook })
  return flattened([...own, ...metadataFields(metadata)])
}

export const changesBetween = (before: Fields, after: Fields): ReadonlyArray<Change> =>
  [...new Set([...before.keys(), ...after.keys()])]
    .map(field => ({ field, current: before.get(field) ?? null, proposed: after.get(field) ?? null }))
    .filter(({ current, proposed }) => current !== proposed)

interface Amounts {
  readonly terminal: string
  readonly token: string
  readonly payoutLimits: ReadonlyArray<{ readonly amount: string; readonly currency: string | number }>
  readonly surplusAllowances: Amounts["payoutLimits"]
}

const limitFields = (groups: ReadonlyArray<Amounts>): Fields => {
  const named = (kind: "payoutLimits" | "surplusAllowances") =>
    groups.flatMap(group =>
      group[kind].map(({ amount, currency }): [string, string] => [
        `${kind}/${group.terminal}/${group.token}/${currency}`,
        amount
      ])
    )
  return new Map([...named("payoutLimits"), ...named("surplusAllowances")])
}

/** Unknown as soon as one of the current limits is. */
export const knownLimits = (
  limits: Observed<ReadonlyArray<CurrentLimits>>
): Observed<ReadonlyArray<Amounts>> => {
  if (limits.status === "unknown") return limits
  const all: Array<Amounts> = []
  for (const { terminal, token, payoutLimits, surplusAllowances } of limits.value) {
    if (payoutLimits.status === "unknown") return payoutLimits
    if (surplusAllowances.status === "unknown") return surplusAllowances
    all.push({
      terminal,
      token,
      payoutLimits: payoutLimits.value,
      surplusAllowances: surplusAllowances.value
    })
  }
  return known(all)
}

/** A limit that is not listed is zero while the ruleset lasts. */
export const limitChanges = (
  before: Observed<ReadonlyArray<Amounts>>,
  after: ReadonlyArray<Amounts>
): Observed<ReadonlyArray<Change>> =>
  mapObserved(before, groups =>
    changesBetween(limitFields(groups), limitFields(after)).map(change => ({
      ...change,
      current: change.current ?? "0",
      proposed: change.proposed ?? "0"
    }))
  )

export const weightResolution = ({ weight }: RulesetConfiguration) => {
  if (weight === "0") return "zero" as const
  return BigInt(weight) === INHERIT_WEIGHT ? ("inherit-decayed" as const) : ("explicit" as const)
}

/** A weight that is cut more often has to be cached first, in as many transactions as that takes. */
const MOST_CUTS = 20_000

/** Where it was queued in this block and nothing stood between it and the running ruleset, whose hook may delay it. */
export const ifFollowing = (
  current: RulesetWithMetadata | null,
  { mustStartAtOrAfter, weight }: RulesetConfiguration,
  now: bigint,
  delayOf: DelayOf
) => {
  if (current === null) return null
  const { ruleset } = current
  const delay = ruleset.approvalHook === ZERO_ADDRESS ? 0n : delayOf(ruleset.approvalHook)
  if (delay === undefined) return null
  const base = {
    start: BigInt(ruleset.start),
    duration: BigInt(ruleset.duration),
    cycleNumber: BigInt(ruleset.cycleNumber)
  }
  const approved = now + delay
  const earliest = BigInt(mustStartAtOrAfter) > approved ? BigInt(mustStartAtOrAfter) : approved
  const start = startAfter(base, earliest)
  const following = { start: String(start), cycleNumber: String(cycleNumberAt(base, start)) }
  if (BigInt(weight) !== INHERIT_WEIGHT) return { ...following, weight }
  const cuts = cutsUntil(base, start)
  const cutPercent = BigInt(ruleset.weightCutPercent)
  if (cutPercent !== 0n && cuts > MOST_CUTS) return null
  return { ...following, weight: String(weightAfterCuts(BigInt(ruleset.weight), cutPercent, cuts)) }
}

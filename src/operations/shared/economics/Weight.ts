/** How many tokens a unit of the base currency issues, cycle after cycle. */
import { MAX_WEIGHT_CUT_PERCENT, mulDiv } from "./Arithmetic.ts"

/** Queued instead of a weight, it stands for what the weight of the ruleset before has been cut to. */
export const INHERIT_WEIGHT = 1n

/** `JBRulesets.deriveWeightFrom`: each cut is rounded down before the next one is made. */
export const weightAfterCuts = (weight: bigint, weightCutPercent: bigint, cuts: number): bigint => {
  if (weightCutPercent === 0n) return weight
  const kept = MAX_WEIGHT_CUT_PERCENT - weightCutPercent
  let left = weight
  for (let cut = 0; cut < cuts && left !== 0n; cut++) left = mulDiv(left, kept, MAX_WEIGHT_CUT_PERCENT)
  return left
}

export interface Cycling {
  readonly start: bigint
  /** Zero where nothing but a later ruleset ends it. */
  readonly duration: bigint
}

/** `JBRulesets.deriveStartFrom`: the first boundary of the base's cycles at or after a time, and never within its first cycle. */
export const startAfter = ({ start, duration }: Cycling, mustStartAtOrAfter: bigint): bigint => {
  if (duration === 0n) return mustStartAtOrAfter
  const next = start + duration
  if (next >= mustStartAtOrAfter) return next
  const missing = mustStartAtOrAfter - next
  return next + ((missing + duration - 1n) / duration) * duration
}

/** `JBRulesets.deriveWeightFrom` counts one cut where the base has no cycles. */
export const cutsUntil = ({ start, duration }: Cycling, laterStart: bigint): number =>
  duration === 0n ? 1 : Number((laterStart - start) / duration)

/** `JBRulesets.deriveCycleNumberFrom`. */
export const cycleNumberAt = (base: Cycling & { readonly cycleNumber: bigint }, laterStart: bigint): bigint =>
  base.cycleNumber + BigInt(cutsUntil(base, laterStart))

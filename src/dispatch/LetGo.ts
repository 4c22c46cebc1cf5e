/** When it is believed that something else has a step's nonce for good, and the step let go: by recovery's looks alone, however often others look. */
import { isConsumed, isPassed, type Observation } from "../plans/Observation.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import type { Sights, StepFacts } from "../plans/Step.ts"

/** A node that told of no logs for a while, or got its head before its history, is believed only after as many looks that saw it so. */
const LOOKS_AT_REPLACED = 24
/** At its first sight, and before it is believed, a chain is looked through from the start: a node that told no logs may have told none of what was searched before. */
export const isSearchedAnew = (sights: Sights | undefined): boolean =>
  sights === undefined || sights.count === LOOKS_AT_REPLACED - 1

/** So far apart that they take a quarter of an hour, however often somebody has its plan looked at. */
export const LOOKS_APART_MS = 37_500

/** Of one step, as its plan was read. */
export interface Look {
  readonly plan: Pick<StoredPlan, "now" | "watched">
  readonly facts: StepFacts
  readonly seen: Observation
  readonly isRecovery: boolean
}

const isOver = (seen: Observation): boolean =>
  seen._tag === "Replaced" || (seen._tag === "Superseded" && seen.isFinal)

/** What it is told to be already: a first sight is no second one, however often nothing could be seen before. */
const wasSeenSo = (facts: StepFacts, seen: Observation): boolean => {
  if (seen._tag === "Replaced") return isPassed(facts)
  const reason = facts.semantic?.reason
  return (
    seen._tag === "Superseded" &&
    reason !== undefined &&
    (reason === seen.reason || reason === seen.believedReason)
  )
}

/** What it is told to be for good. */
const wasBelieved = (facts: StepFacts, seen: Observation): boolean => {
  if (seen._tag === "Replaced") return isConsumed(facts)
  return seen._tag === "Superseded" && facts.semantic?.reason === (seen.believedReason ?? seen.reason)
}

const counted = ({ plan: { now }, facts, seen, isRecovery }: Look): Sights | undefined => {
  if (!wasSeenSo(facts, seen)) return { count: 1, at: now }
  const { sights } = facts
  const isDue =
    sights === undefined || (sights.count <= LOOKS_AT_REPLACED && now - sights.at >= LOOKS_APART_MS)
  return isRecovery && isDue ? { count: (sights?.count ?? 0) + 1, at: now } : sights
}

/** How often it was seen over, once it has come to what this look makes of it; a look that saw nothing takes nothing back. */
export const sightsAfter = (look: Look, after: StepFacts): Sights | undefined => {
  const { facts, seen } = look
  if (isOver(seen)) return wasSeenSo(after, seen) ? counted(look) : undefined
  return after.semantic?.reason === facts.semantic?.reason ? facts.sights : undefined
}

/** What nobody watches was let go before, or was final: a first sight then brings it back under watch. */
export const isLetGo = (look: Look): boolean => {
  const { plan, facts, seen } = look
  if (!isOver(seen)) return false
  return plan.watched
    ? wasSeenSo(facts, seen) && (counted(look)?.count ?? 0) > LOOKS_AT_REPLACED
    : wasBelieved(facts, seen)
}

/** What is believed only once recovery has let it go, and from then on. */
export const believed = (look: Look): Observation => {
  const { facts, seen } = look
  const isBelieved = isLetGo(look)
  if (seen._tag === "Replaced") return { ...seen, isBelieved }
  if (seen._tag !== "Superseded" || seen.believedReason === undefined) return seen
  return isBelieved || facts.semantic?.reason === seen.believedReason
    ? { ...seen, reason: seen.believedReason }
    : seen
}

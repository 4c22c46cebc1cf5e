/** Which rulesets follow one another where they are queued in this block: `JBRulesets.queueFor`, one configuration after another. */
import { type Address, ZERO_ADDRESS } from "../../values/Scalars.ts"
import { startAfter } from "../shared/economics/Weight.ts"

/** As the contract numbers what an approval hook says. */
const EMPTY = 0
const EXPECTED = 3
const APPROVED = 4
const FAILED = 5

export interface Queued {
  readonly id: bigint
  readonly start: bigint
  readonly duration: bigint
  readonly approvalHook: Address
  readonly approval: number
  readonly base: Queued | undefined
}

export interface Configuration {
  readonly mustStartAtOrAfter: string
  readonly duration: string | number
  readonly approvalHook: Address
}

/** For how long before its start a hook wants a ruleset queued; undefined for a hook that judges by other means. */
export type DelayOf = (hook: Address) => bigint | undefined

const later = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** What a deadline says of a ruleset whose base names it. */
export const deadlineApproval = (
  { id, start }: Pick<Queued, "id" | "start">,
  delay: bigint,
  now: bigint
): number => {
  if (id + delay > start) return FAILED
  return now + delay >= start ? APPROVED : EXPECTED
}

/** One that has not started gives way to whatever may start before it has run a cycle, unless it is approved by then. */
const isKept = ({ approval, start, duration }: Queued, earliest: bigint, now: bigint): boolean => {
  const isAccepted = approval === EMPTY || approval === APPROVED
  if (now >= start) return isAccepted
  return earliest >= start + duration ? isAccepted || approval === EXPECTED : approval === APPROVED
}

/** Undefined where a hook that the service does not know decides. */
const placed = (
  latest: Queued | undefined,
  configuration: Configuration,
  now: bigint,
  delayOf: DelayOf
): Queued | undefined => {
  const asked = BigInt(configuration.mustStartAtOrAfter)
  const earliest = asked === 0n ? now : asked
  const id = latest !== undefined && latest.id >= now ? latest.id + 1n : now
  const base = latest === undefined || isKept(latest, earliest, now) ? latest : latest.base
  const own = { id, duration: BigInt(configuration.duration), approvalHook: configuration.approvalHook, base }
  if (base === undefined) return { ...own, start: earliest, approval: EMPTY }
  if (base.approvalHook === ZERO_ADDRESS)
    return { ...own, start: startAfter(base, earliest), approval: EMPTY }
  const delay = delayOf(base.approvalHook)
  if (delay === undefined) return undefined
  const start = startAfter(base, later(earliest, id + delay))
  return { ...own, start, approval: deadlineApproval({ id, start }, delay, now) }
}

/** The rulesets that would be queued, up to the first that cannot be foreseen. */
export const succession = (
  latest: Queued | undefined,
  configurations: ReadonlyArray<Configuration>,
  now: bigint,
  delayOf: DelayOf
): ReadonlyArray<Queued> => {
  const queued: Array<Queued> = []
  let last = latest
  for (const configuration of configurations) {
    last = placed(last, configuration, now, delayOf)
    if (last === undefined) return queued
    queued.push(last)
  }
  return queued
}

/** A ruleset without effect: the next one is based on what came before it, or starts when it does. */
export const isPassedOver = (ruleset: Queued, next: Queued): boolean =>
  next.base?.id !== ruleset.id || next.start <= ruleset.start

/** From when on the next one would not take its place. */
export const endOfFirstCycle = ({ start, duration }: Queued): bigint => start + later(duration, 1n)

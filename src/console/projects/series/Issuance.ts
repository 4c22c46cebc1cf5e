/** How many tokens a unit issued, cycle after cycle, along the rulesets that led to the one in force. */
import { INHERIT_WEIGHT, weightAfterCuts } from "../../../operations/shared/economics/Weight.ts"
import type { Hold } from "./Holds.ts"

export interface QueuedRuleset {
  readonly id: string
  readonly basedOnId: string
  /** Seconds; zero where nothing but a later ruleset ends it. */
  readonly duration: number
  readonly weight: bigint
  readonly weightCutPercent: bigint
  /** Undefined where the source does not tell it. */
  readonly start: number | undefined
}

/** As the chain tells it, at the start of its present cycle. */
export interface InForce {
  readonly id: string
  readonly start: number
  readonly weight: bigint
}

interface Link extends QueuedRuleset {
  /** What it began with, undefined where that is not known. */
  readonly first: bigint | undefined
}

/** A longer row of cycles is drawn by its latest. */
const MOST_CYCLES = 500
/** What a contract itself would not count in one call. */
const MOST_CUTS = 20_000

/** Oldest first; it ends where the source has no more of them. */
const chainTo = (id: string, queued: ReadonlyMap<string, QueuedRuleset>): ReadonlyArray<QueuedRuleset> => {
  const chain: Array<QueuedRuleset> = []
  let at = queued.get(id)
  while (at !== undefined && !chain.includes(at)) {
    chain.unshift(at)
    at = queued.get(at.basedOnId)
  }
  return chain
}

const cutsBefore = ({ start, duration }: QueuedRuleset, later: number): number | undefined => {
  if (start === undefined) return undefined
  const cuts = duration === 0 ? 1 : Math.floor((later - start) / duration)
  return cuts > MOST_CUTS ? undefined : cuts
}

const inherited = (before: Link | undefined, start: number | undefined): bigint | undefined => {
  if (before?.first === undefined || start === undefined) return undefined
  const cuts = cutsBefore(before, start)
  return cuts === undefined ? undefined : weightAfterCuts(before.first, before.weightCutPercent, cuts)
}

const linked = (chain: ReadonlyArray<QueuedRuleset>): ReadonlyArray<Link> => {
  const links: Array<Link> = []
  for (const each of chain) {
    const first = each.weight === INHERIT_WEIGHT ? inherited(links.at(-1), each.start) : each.weight
    links.push({ ...each, first })
  }
  return links
}

const cyclesOf = ({ start, duration, weightCutPercent, first }: Link, end: number): ReadonlyArray<Hold> => {
  if (start === undefined || first === undefined || end <= start) return []
  if (duration === 0 || weightCutPercent === 0n) return [{ from: start, until: end, value: first }]
  const count = Math.ceil((end - start) / duration)
  if (count > MOST_CUTS) return []
  const holds: Array<Hold> = []
  let value = weightAfterCuts(first, weightCutPercent, Math.max(0, count - MOST_CYCLES))
  for (let cycle = Math.max(0, count - MOST_CYCLES); cycle < count; cycle++) {
    const from = start + cycle * duration
    holds.push({ from, until: Math.min(from + duration, end), value })
    value = weightAfterCuts(value, weightCutPercent, 1)
  }
  return holds
}

/** What the chain itself says of the present cycle stands, whatever the source would have it be. */
const checked = (holds: ReadonlyArray<Hold>, { start, weight }: InForce, until: number) => {
  const agrees = holds.some(hold => hold.from <= start && start < hold.until && hold.value === weight)
  return agrees || until <= start ? holds : [{ from: start, until, value: weight }]
}

export const issuanceHolds = (
  inForce: InForce,
  queued: ReadonlyArray<QueuedRuleset>,
  until: number
): ReadonlyArray<Hold> => {
  const links = linked(chainTo(inForce.id, new Map(queued.map(each => [each.id, each]))))
  if (links.length === 0) return checked([], inForce, until)
  return links.flatMap((link, index) => {
    const next = links[index + 1]
    if (next !== undefined) return next.start === undefined ? [] : cyclesOf(link, Math.min(next.start, until))
    return checked(cyclesOf(link, until), inForce, until)
  })
}

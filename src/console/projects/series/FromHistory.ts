/** The lines and bars that an index's rows of a project make. */
import type { EntityRow } from "../../../indexer/Entities.ts"
import type { Degraded } from "../../../indexer/IndexerSchemas.ts"
import type { History } from "../reading/History.ts"
import { leftOut } from "../reading/Listed.ts"
import { type Gap, type Hold, holdsOf, type Moment } from "./Holds.ts"
import { type InForce, issuanceHolds, type QueuedRuleset } from "./Issuance.ts"
import type { Beat } from "./Picture.ts"

const INTEGER = /^-?[0-9]{1,78}$/

const integer = (text: string | undefined): bigint | undefined =>
  text !== undefined && INTEGER.test(text) ? BigInt(text) : undefined

const momentOf = ({ block, timestamp, balance }: EntityRow<"projectMoment">): ReadonlyArray<Moment> => {
  const value = integer(balance)
  return block === undefined || timestamp === undefined || value === undefined
    ? []
    : [{ block, at: timestamp, value }]
}

/** Rows without a balance, too, hide what it was. */
const blockOf = ({ key }: Degraded): ReadonlyArray<number> =>
  typeof key.block === "number" ? [key.block] : []

const latest = (moments: ReadonlyArray<Moment>): number =>
  moments.reduce((last, { at }) => Math.max(last, at), 0)

const balanceHolds = ({ moments, followedTo }: History): ReadonlyArray<Hold> => {
  const told = moments.items.flatMap(momentOf)
  const silent = moments.items.filter(item => momentOf(item).length === 0)
  const lost = [...leftOut(moments).flatMap(blockOf), ...silent.flatMap(({ block }) => block ?? [])]
  return holdsOf({ moments: told, lost, until: followedTo ?? latest(told) })
}

const payoutBeats = ({ payouts }: History): ReadonlyArray<Beat> =>
  payouts.items
    .flatMap(({ timestamp, amountPaidOut }) => {
      const value = integer(amountPaidOut)
      return timestamp === undefined || value === undefined ? [] : [{ at: timestamp, value }]
    })
    .toSorted((one, other) => one.at - other.at)

const queuedRulesets = ({ queued, starts }: History): ReadonlyArray<QueuedRuleset> => {
  const startOf = new Map(starts.items.map(({ rulesetId, start }) => [rulesetId, start]))
  return queued.items.flatMap(({ rulesetId, basedOnId, duration, weight, weightCutPercent }) => {
    const [issued, cut] = [integer(weight), integer(weightCutPercent)]
    if (rulesetId === undefined || duration === undefined || issued === undefined || cut === undefined)
      return []
    const start = startOf.get(rulesetId)
    return {
      id: rulesetId,
      basedOnId: String(basedOnId),
      duration: Number(duration),
      weight: issued,
      weightCutPercent: cut,
      start: start === undefined ? undefined : Number(start)
    }
  })
}

/** Of the time that is shown. */
const within = (holds: ReadonlyArray<Hold>, { from, until }: Gap): ReadonlyArray<Hold> =>
  holds
    .filter(hold => hold.until >= from && hold.from <= until)
    .map(hold => ({ ...hold, from: Math.max(hold.from, from), until: Math.min(hold.until, until) }))

export interface OverTime {
  readonly span: Gap
  readonly balance: ReadonlyArray<Hold>
  readonly issuance: ReadonlyArray<Hold>
  readonly payouts: ReadonlyArray<Beat>
  /** Before which payouts were not asked for. */
  readonly untold: ReadonlyArray<Gap>
}

/** Where older pages are not there yet, they begin where the balance does. */
const spanOf = (history: History, times: ReadonlyArray<number>): Gap | undefined => {
  const [first] = history.moments.cursor === null ? [] : balanceHolds(history)
  const from = first?.from ?? times.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY)
  const until = history.followedTo ?? times.reduce((most, at) => Math.max(most, at), 0)
  return times.length === 0 ? undefined : { from, until: Math.max(from, until) }
}

/** Undefined where nothing is indexed; `inForce` where the chain told it. */
export const overTime = (history: History, inForce: InForce | undefined): OverTime | undefined => {
  const [balance, beats] = [balanceHolds(history), payoutBeats(history)]
  const until = history.followedTo ?? balance.at(-1)?.until ?? 0
  const issuance = inForce === undefined ? [] : issuanceHolds(inForce, queuedRulesets(history), until)
  const times = [
    ...[...balance, ...issuance].flatMap(({ from, until: to }) => [from, to]),
    ...beats.map(({ at }) => at)
  ]
  const span = spanOf(history, times)
  if (span === undefined) return undefined
  const [oldest] = beats
  const isCut = history.payouts.cursor !== null && oldest !== undefined && oldest.at > span.from
  return {
    span,
    balance: within(balance, span),
    issuance: within(issuance, span),
    payouts: beats.filter(({ at }) => at >= span.from && at <= span.until),
    untold: isCut ? [{ from: span.from, until: oldest.at }] : []
  }
}

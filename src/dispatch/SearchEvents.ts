/** Looks through a chain's blocks for contracts' events, of many at once and in ranges that nodes answer. */
import { Array, Effect, Option, Order } from "effect"
import type { ChainSession, RawLog } from "../chain/ChainClient.ts"
import { tentative } from "../chain/PinnedReads.ts"
import { eventLogs, type LogQuery } from "../chain/Reads.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"

/** In blocks; where a node finds a range too large, the next width is tried. */
const WIDTHS = [2_000n, 100n, 10n]
/** In one look; the next one goes on from there. */
const MOST_RANGES = 8
/** What is looked for from within so many blocks on is looked for by the same questions. */
const NEAR = 2_000n

export interface SearchedEvents {
  readonly logs: ReadonlyArray<RawLog>
  /** The last block that was looked at. */
  readonly to: bigint
}

type Range = Pick<LogQuery, "from" | "to">

const rangesOf = ({ from, to }: Range, width: bigint): ReadonlyArray<Range> => {
  const ranges: Array<Range> = []
  for (let start = from; start <= to && ranges.length < MOST_RANGES; start += width) {
    const end = start + width - 1n
    ranges.push({ from: start, to: end < to ? end : to })
  }
  return ranges
}

const inWidth = Effect.fnUntraced(function* (session: ChainSession, query: LogQuery, width: bigint) {
  const ranges = rangesOf(query, width)
  const answers = yield* session.all(ranges.map(range => tentative(eventLogs({ ...query, ...range }))))
  const logs = Option.all(answers.map(Option.flatMapNullable(found => found)))
  return Option.map(
    logs,
    (found): SearchedEvents => ({
      logs: found.flat(),
      to: ranges.at(-1)?.to ?? query.to
    })
  )
})

interface LookedThrough extends SearchedEvents {
  /** Of its ranges. */
  readonly width: bigint
}

/** One look; what takes many goes on in the width in which the last one was answered. */
export const lookThrough = Effect.fnUntraced(function* (
  session: ChainSession,
  query: LogQuery,
  widest?: bigint
) {
  for (const width of WIDTHS.filter(each => widest === undefined || each <= widest)) {
    const found = yield* inWidth(session, query, width)
    if (Option.isSome(found)) return Option.some<LookedThrough>({ ...found.value, width })
  }
  return Option.none<LookedThrough>()
})

/** A contract's events that have the word, from a block on. */
export interface SoughtEvents {
  readonly contract: Address
  readonly word: Bytes32
  readonly from: bigint
}

/** Which of an event's indexed words. */
type WordPlace = 1 | 2

const searchNear = Effect.fnUntraced(function* <Sought extends SoughtEvents>(
  session: ChainSession,
  event: Bytes32,
  near: Array.NonEmptyReadonlyArray<Sought>,
  to: bigint,
  place: WordPlace
) {
  const [{ contract: address }] = near
  const words = [...new Set(near.map(({ word }) => word))]
  const topics = place === 1 ? [event, words] : [event, null, words]
  const from = Array.min(
    Array.map(near, each => each.from),
    Order.bigint
  )
  const found = yield* lookThrough(session, { address, topics, from, to })
  const ofWord = Option.map(found, ({ logs }) => Array.groupBy(logs, log => String(log.topics[place])))
  return near.map(each => {
    const own = Option.zipWith(
      found,
      ofWord,
      ({ to }, all): SearchedEvents => ({ to, logs: all[each.word] ?? [] })
    )
    return [each, own] as const
  })
})

/** None of those of whom the node gives no logs. */
export const searchEvents = <Sought extends SoughtEvents>(
  session: ChainSession,
  event: Bytes32,
  sought: ReadonlyArray<Sought>,
  to: bigint,
  place: WordPlace = 1
) => {
  const near = Array.groupBy(sought, ({ contract, from }) => `${contract}/${from / NEAR}`)
  return Effect.map(
    Effect.forEach(Object.values(near), each => searchNear(session, event, each, to, place), {
      concurrency: "unbounded"
    }),
    found => new Map(found.flat())
  )
}

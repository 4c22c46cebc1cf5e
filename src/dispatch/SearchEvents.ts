/** Looks through a chain's blocks for a contract's events, in ranges that nodes answer. */
import { Effect, Option } from "effect"
import type { ChainSession, RawLog } from "../chain/ChainClient.ts"
import { tentative } from "../chain/PinnedReads.ts"
import { eventLogs, type LogQuery } from "../chain/Reads.ts"

/** In blocks; where a node finds a range too large, the next width is tried. */
const WIDTHS = [2_000n, 100n, 10n]
/** In one look; the next one goes on from there. */
const MOST_RANGES = 8

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

/** None where the node gives no logs. */
export const searchEvents = Effect.fnUntraced(function* (session: ChainSession, query: LogQuery) {
  let found: Option.Option<SearchedEvents> = Option.none()
  for (const width of WIDTHS) {
    found = yield* inWidth(session, query, width)
    if (Option.isSome(found)) break
  }
  return found
})

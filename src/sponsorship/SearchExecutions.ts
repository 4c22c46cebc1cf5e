/** Looks through a chain's blocks for a wallet's executed requests, in ranges that nodes answer. */
import { Effect, Option } from "effect"
import type { ChainSession } from "../chain/ChainClient.ts"
import { tentative } from "../chain/PinnedReads.ts"
import { eventLogs } from "../chain/Reads.ts"
import type { Address, Hex } from "../values/Scalars.ts"
import { EXECUTED_TOPIC, type ExecutedRequest, executedBy, signerTopic } from "./ForwardedCalls.ts"

/** In blocks; where a node finds a range too large, the next width is tried. */
const WIDTHS = [2_000n, 100n, 10n]
/** In one look; the next one goes on from there. */
const MOST_RANGES = 8

export interface Searched {
  readonly executed: ReadonlyArray<ExecutedRequest>
  /** The last block that was looked at. */
  readonly to: bigint
}

interface Range {
  readonly from: bigint
  readonly to: bigint
}

/** Blocks of one chain, and who is looked for in them. */
export interface Search extends Range {
  readonly forwarder: Hex
  readonly signer: Address
}

const rangesOf = ({ from, to }: Range, width: bigint): ReadonlyArray<Range> => {
  const ranges: Array<Range> = []
  for (let start = from; start <= to && ranges.length < MOST_RANGES; start += width) {
    const end = start + width - 1n
    ranges.push({ from: start, to: end < to ? end : to })
  }
  return ranges
}

const inWidth = Effect.fnUntraced(function* (
  session: ChainSession,
  { forwarder, signer, ...blocks }: Search,
  width: bigint
) {
  const ranges = rangesOf(blocks, width)
  const topics = [EXECUTED_TOPIC, signerTopic(signer)]
  const answers = yield* session.all(
    ranges.map(range => tentative(eventLogs({ address: forwarder, topics, ...range })))
  )
  const logs = Option.all(answers.map(Option.flatMapNullable(found => found)))
  return Option.map(logs, found => ({
    executed: executedBy(found.flat(), forwarder, signer),
    to: ranges.at(-1)?.to ?? blocks.to
  }))
})

/** None where the node gives no logs. */
export const searchExecutions = Effect.fnUntraced(function* (session: ChainSession, search: Search) {
  let found: Option.Option<Searched> = Option.none()
  for (const width of WIDTHS) {
    found = yield* inWidth(session, search, width)
    if (Option.isSome(found)) break
  }
  return found
})

/** Nonces that went by in final blocks while no event says by what: a wallet that passes them over tells of none, nor does a node whose logs are behind its state. */
import { Array, Effect } from "effect"
import type { ChainSession } from "../chain/ChainClient.ts"
import { blockByNumber } from "../chain/Reads.ts"
import type { BlockPlace } from "../dispatch/SearchHeads.ts"
import { OperationWatchStore, type Silence } from "./OperationWatchStore.ts"
import type { UnsentOperation } from "./UserOperationRow.ts"

export interface FinalLook {
  readonly session: ChainSession
  /** Final, and their nonces went by at it. */
  readonly block: BlockPlace
}

/** Since a block that its chain took back none is; a node without the block is behind, which proves nothing. */
const standingSilences = Effect.fnUntraced(function* (
  session: ChainSession,
  silences: ReadonlyArray<Silence>
) {
  const numbers = [...new Set(silences.map(({ number }) => number))]
  const blocks = yield* session.all(numbers.map(number => blockByNumber(session.chainId, number)))
  const hashes = new Map(numbers.map((number, index) => [number, blocks[index]?.hash]))
  return silences.filter(({ number, hash }) => (hashes.get(number) ?? hash) === hash)
})

const idsOf = (each: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> =>
  each.map(({ id }) => id)

/** Of operations of which this look found no event, those that had none long ago, nor when all of their chain was looked through once more after that: their silence is believed. The others' chain is looked through from the start by the next look. */
export const longSilent = Effect.fn("SilentNonces.look")(function* (
  { session, block }: FinalLook,
  operations: ReadonlyArray<UnsentOperation>
) {
  if (operations.length === 0) return []
  const store = yield* OperationWatchStore
  const standing = yield* standingSilences(session, yield* store.silences(idsOf(operations)))
  const known = new Map(standing.map(silence => [silence.id, silence]))
  const [doubted, believed] = Array.partition(operations, ({ id }) => {
    const silence = known.get(id)
    return silence?.isLong === true && silence.anew
  })
  const [begun, long] = [
    doubted.filter(({ id }) => !known.has(id)),
    doubted.filter(({ id }) => known.get(id)?.isLong)
  ]
  if (begun.length > 0) yield* store.fellSilent(idsOf(begun), block)
  if (doubted.length > 0) yield* store.searchAnew(idsOf(doubted))
  if (long.length > 0) yield* store.askedAnew(idsOf(long))
  return believed
})

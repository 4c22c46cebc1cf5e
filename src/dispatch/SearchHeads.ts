/** From where a chain's blocks are looked through for what others execute, up to where, and what is kept of it. */
import { Array, Effect, Order } from "effect"
import { type Block, ChainClient, type ChainSession } from "../chain/ChainClient.ts"
import { blockByNumber, chainProof, latestBlock, taggedBlock, toldBlock } from "../chain/Reads.ts"
import type { SearchFacts } from "../plans/Binding.ts"
import type { Bytes32 } from "../values/Scalars.ts"

/** Where a node serves no finality tags, so many end the doubt. */
export const FINAL_CONFIRMATIONS = 256n
/** A reorganisation may leave an execution below the block that it was prepared at. */
const MARGIN = 256
/** So that not each look is a write. */
const WORTH_KEEPING = 256n

export interface BlockPlace {
  readonly number: bigint
  readonly hash: Bytes32
}

/** Where a search is to go on. */
export interface KeptPlace extends BlockPlace {
  /** A place nearer to the head could be kept, had one look reached so far. */
  readonly isPartway: boolean
}

export interface SearchHeads {
  readonly session: ChainSession
  readonly latest: Block
  /** Null while no block is known to be. */
  readonly final: Block | null
  /** At the heights to which the chain was searched. */
  readonly places: ReadonlyMap<number, Block | null>
}

/** In one round trip where the node serves finality tags. */
export const lookAtHeads = Effect.fnUntraced(function* (
  chainId: number,
  searches: ReadonlyArray<SearchFacts>
) {
  const numbers = [...new Set(searches.flatMap(({ searchedBlock }) => searchedBlock ?? []))]
  const { session, answers } = yield* (yield* ChainClient).begin(chainId, [
    chainProof(chainId),
    latestBlock(chainId),
    taggedBlock(chainId, "finalized"),
    ...numbers.map(number => blockByNumber(chainId, BigInt(number)))
  ])
  const [, latest, finalized, ...blocks] = answers
  const deep = latest.number - FINAL_CONFIRMATIONS + 1n
  const [buried] =
    finalized === null && deep >= 0n ? yield* session.all([blockByNumber(chainId, deep)]) : [null]
  const places = new Map(numbers.map((number, index) => [number, blocks[index] ?? null]))
  const heads: SearchHeads = {
    session,
    latest,
    final: finalized === null ? buried : toldBlock(finalized),
    places
  }
  return heads
})

/** From the place that was stored, unless the chain has another block there. */
export const searchedFrom = (
  { searchedBlock, searchedHash, sinceBlock }: SearchFacts,
  { places }: Pick<SearchHeads, "places">
): bigint => {
  const isStanding = searchedBlock !== null && places.get(searchedBlock)?.hash === searchedHash
  return BigInt(isStanding ? searchedBlock + 1 : Math.max(0, sinceBlock - MARGIN))
}

interface SearchedRange {
  readonly from: bigint
  readonly to: bigint
}

/** Up to the final block, or to where a block is as deep as ends the doubt elsewhere, and no further than was looked; null where that is not worth a write: it is where the next look is to go on from there. */
const placeToKeep = Effect.fnUntraced(function* (
  { session, latest, final }: SearchHeads,
  { from, to }: SearchedRange
) {
  if (final === null) return null
  const deepest = Order.max(Order.bigint)(final.number, latest.number - FINAL_CONFIRMATIONS + 1n)
  const number = Order.min(Order.bigint)(to, deepest)
  if (number - from < (to < latest.number ? 0n : WORTH_KEEPING)) return null
  const [block] =
    number === final.number ? [final] : yield* session.all([blockByNumber(session.chainId, number)])
  if (block === null) return null
  const { hash } = block
  return { number, hash, isPartway: to < deepest } satisfies KeptPlace
})

/** What was looked for without being found. */
interface SearchedPart<Of> extends SearchedRange {
  readonly of: ReadonlyArray<Of>
}

/** Those that were looked for up to the same block are kept by one write. */
export const placesToKeep = Effect.fnUntraced(function* <Of>(
  heads: SearchHeads,
  parts: ReadonlyArray<SearchedPart<Of>>
) {
  const kept = yield* Effect.forEach(parts, part =>
    Effect.map(placeToKeep(heads, part), place => (place === null ? [] : [{ place, of: part.of }]))
  )
  return Object.values(Array.groupBy(kept.flat(), ({ place }) => `${place.hash}/${place.isPartway}`)).map(
    same => ({
      place: same[0].place,
      of: same.flatMap(({ of }) => of)
    })
  )
})

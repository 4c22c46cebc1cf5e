/** What a contract counts, and never counts down, as far as a final block tells. */
import { Effect } from "effect"
import type { Block, ChainSession } from "../chain/ChainClient.ts"
import type { PackedQuestions } from "../protocol/PackedCalls.ts"
import { tentativeReads } from "../protocol/TentativeReads.ts"

export interface FinalAndLatest {
  readonly final: Block
  /** Absent where nothing hangs on what it was at most. */
  readonly latest: Block | undefined
}

/** Where a node has no state of its final block any more, its latest tells how much it was at most. */
export const readsAtFinal = Effect.fnUntraced(function* (
  session: ChainSession,
  questions: PackedQuestions,
  { final, latest }: FinalAndLatest
) {
  const told = yield* tentativeReads(session, questions, final.hash)
  const isTold = [...told.outcomes, ...told.codeHashes].some(each => each !== undefined)
  if (isTold || latest === undefined || latest.number <= final.number) return { ...told, isFinal: true }
  return { ...(yield* tentativeReads(session, questions, latest.hash)), isFinal: false }
})

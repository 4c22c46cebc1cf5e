/** The heads that chains hold just now: what is asked at one together with a look at the chain spares a round trip, and counts only where it still is the head. */
import { Context, Effect, Layer } from "effect"
import type { Block } from "./ChainClient.ts"

/** Longer ago it tells too little of a chain with quick blocks. */
const FRESH_MS = 500

interface Seen {
  readonly block: Block
  readonly atMillis: number
  /** By two looks after each other: of a chain that is faster than the looks none is, and nothing is asked in vain. */
  readonly twice: boolean
}

export class SteadyHeads extends Context.Tag("chain/SteadyHeads")<
  SteadyHeads,
  {
    readonly note: (block: Block) => Effect.Effect<void>
    /** The chain's likely head; undefined where nothing is likely. */
    readonly recall: (chainId: number) => Effect.Effect<Block | undefined>
  }
>() {
  static readonly layer = Layer.effect(
    SteadyHeads,
    Effect.map(Effect.clock, clock => {
      const heads = new Map<number, Seen>()
      return {
        note: block =>
          Effect.sync(() => {
            const { chainId, hash } = block
            const twice = heads.get(chainId)?.block.hash === hash
            heads.set(chainId, { block, atMillis: clock.unsafeCurrentTimeMillis(), twice })
          }),
        recall: chainId =>
          Effect.sync(() => {
            const seen = heads.get(chainId)
            if (seen === undefined || !seen.twice) return undefined
            return clock.unsafeCurrentTimeMillis() - seen.atMillis < FRESH_MS ? seen.block : undefined
          })
      }
    })
  )
}

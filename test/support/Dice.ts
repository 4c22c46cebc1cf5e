/** Chance that a seed decides. */
import type { Hex } from "../../src/values/Scalars.ts"

export interface Dice {
  /** From 0 up to, not including, the limit. */
  readonly below: (limit: number) => number
  readonly pick: <A>(all: ReadonlyArray<A>) => A
  readonly chance: (share: number) => boolean
  readonly bytes: (count: number) => Hex
}

/** By the generator that is known as mulberry32. */
export const dice = (seed: number): Dice => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    pick: all => {
      const found = all[below(all.length)]
      if (found === undefined) throw new Error("nothing to pick from")
      return found
    },
    chance: share => next() < share,
    bytes: count =>
      `0x${Array.from({ length: count }, () => below(256).toString(16).padStart(2, "0")).join("")}`
  }
}

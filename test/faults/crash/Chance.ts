/** Chance from a seed: the same seed makes the same choices. */
export interface Chance {
  /** From 0 up to, not including, the limit. */
  readonly below: (limit: number) => number
  readonly happens: (probability: number) => boolean
  readonly pick: <A>(items: readonly [A, ...Array<A>]) => A
}

export const chanceFrom = (seed: number): Chance => {
  let state = seed >>> 0
  const unit = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(unit() * limit)
  return {
    below,
    happens: probability => unit() < probability,
    pick: items => items[below(items.length)] ?? items[0]
  }
}

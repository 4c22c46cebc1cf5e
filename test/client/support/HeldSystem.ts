/** Time and chance that tests move by hand: sleeping only advances the clock. */
import type { System } from "../../../src/client/System.ts"

export interface HeldSystem extends System {
  readonly slept: ReadonlyArray<number>
}

export const heldSystem = (startMillis: number): HeldSystem => {
  let now = startMillis
  let draws = 0
  const slept: Array<number> = []
  return {
    slept,
    now: () => now,
    sleep: async (millis, signal) => {
      signal?.throwIfAborted()
      slept.push(millis)
      now += millis
    },
    randomBytes: length => {
      draws += 1
      return new Uint8Array(length).fill(draws)
    }
  }
}

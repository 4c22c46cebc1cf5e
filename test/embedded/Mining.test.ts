import { assert, it } from "vitest"
import { type Pace, paced } from "../../src/embedded/Mining.ts"

/** Ticks over a chain on which transactions mine `blocks[tick]` blocks before each tick. */
const minedAt = (blocks: ReadonlyArray<number>): ReadonlyArray<number> => {
  let head = 5
  let pace: Pace = { head, owed: 0, idleTicks: 0 }
  return blocks.flatMap((count, tick) => {
    head += count
    const next = paced(pace, head)
    pace = next.pace
    if (next.mine) head++
    return next.mine ? [tick] : []
  })
}

const ticks = (length: number, busy: Readonly<Record<number, number>>): ReadonlyArray<number> =>
  Array.from({ length }, (_, tick) => busy[tick] ?? 0)

it("mines three blocks behind a transaction and then rests", () => {
  assert.deepStrictEqual(minedAt(ticks(10, { 2: 1 })), [2, 3, 4])
})

it("starts the three blocks anew with each further transaction", () => {
  assert.deepStrictEqual(minedAt(ticks(10, { 2: 1, 4: 7 })), [2, 3, 4, 5, 6])
})

it("keeps the head of an idle chain fresh", () => {
  assert.deepStrictEqual(minedAt(ticks(30, {})), [11, 23])
})

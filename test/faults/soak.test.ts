import { assert, describe, it } from "vitest"
import { grown, growthOf, MEGABYTE, type Sample, slopeOf } from "./soak/Memory.ts"

const HOURS = 2
const SAMPLES = 120

/** Of each minute. */
const samples = (of: (hours: number) => Partial<Sample>): ReadonlyArray<Sample> =>
  Array.from({ length: SAMPLES }, (_, minute) => {
    const hours = ((minute + 1) / SAMPLES) * HOURS
    const still = { live: 80 * MEGABYTE, code: 10 * MEGABYTE, resident: 200 * MEGABYTE, descriptors: 30 }
    return { ...still, ...of(hours), hours }
  })

describe("what a process that lasts holds", () => {
  it("has the slope of the line that was drawn, whatever its noise", () => {
    const noisy = samples(hours => ({ live: 5e6 * hours + (Math.round(hours * 60) % 2) * 1e6 }))
    assert.approximately(slopeOf(noisy, ({ live }) => live) / MEGABYTE, 5, 0.1)
    assert.strictEqual(
      slopeOf(noisy.slice(0, 1), ({ live }) => live),
      0
    )
  })

  it("may fill what it keeps in the beginning", () => {
    const filling = samples(hours => ({ live: 80e6 + Math.min(hours, HOURS / 4) * 40e6 }))
    assert.deepStrictEqual(grown(growthOf(filling)), [])
  })

  it("has grown where an hour adds a megabyte or more, which less than an hour does not tell", () => {
    const growing = samples(hours => ({ live: 80e6 + hours * 1.2e6 }))
    assert.deepStrictEqual(grown(growthOf(growing)), ["1.2 MB more of live memory each hour"])
    assert.deepStrictEqual(grown(growthOf(growing.slice(0, 50))), [])
    assert.deepStrictEqual(grown(growthOf(samples(hours => ({ live: 80e6 + hours * 0.9e6 })))), [])
  })

  it("has grown where descriptors stay open", () => {
    const leaking = samples(hours => ({ descriptors: 30 + Math.floor(hours * 10) }))
    assert.lengthOf(grown(growthOf(leaking)), 1)
    const busy = samples(hours => ({ descriptors: 30 + (Math.round(hours * 60) % 20) }))
    assert.deepStrictEqual(grown(growthOf(busy)), [])
  })
})

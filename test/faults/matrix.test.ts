import { afterAll, assert, beforeAll, it } from "vitest"
import { campaign } from "./Campaign.ts"
import { chanceFrom } from "./crash/Chance.ts"
import { audit } from "./matrix/Audit.ts"
import { CELLS, cellAt, PHASES, wordsOf } from "./matrix/Cells.ts"
import { runRelay } from "./matrix/Relay.ts"
import { type Stand, startStand } from "./matrix/Stand.ts"

/** All cells in `npm run faults -- --matrix`; else about so many of them, spread evenly. */
const SPREAD = 42
const { seed, sizes, asked, report } = campaign("matrix", { from: 0, to: CELLS, times: 1 })

const chosen = (): ReadonlyArray<number> => {
  const range = Array.from({ length: sizes.to - sizes.from }, (_, index) => sizes.from + index)
  if (asked) return range
  const stride = Math.floor(CELLS / SPREAD)
  return range.filter(index => index % (stride + 1) === seed % stride)
}

const STANDS = asked ? 4 : 2
let stands: ReadonlyArray<Stand> = []

beforeAll(async () => {
  stands = await Promise.all(Array.from({ length: STANDS }, startStand))
})

afterAll(async () => {
  await Promise.all(stands.map(({ stop }) => stop()))
})

interface Counts {
  cells: number
  direct: number
  standIn: number
  readonly phases: Record<string, number>
}

const runCell = async (stand: Stand, index: number, round: number, counts: Counts) => {
  const cell = cellAt(index)
  const { relay, direct, struck } = await runRelay(stand, cell, chanceFrom(seed + index + round * CELLS))
  await audit(stand, relay)
  counts.cells++
  counts[direct ? "direct" : "standIn"]++
  assert.isTrue(struck, "the fault never struck")
  counts.phases[cell.phase] = (counts.phases[cell.phase] ?? 0) + 1
}

it("whatever a node does to any call in any phase, each relay ends right", {
  timeout: asked ? 36_000_000 : 900_000
}, async () => {
  const work = Array.from({ length: sizes.times }, (_, round) =>
    chosen().map(index => ({ index, round }))
  ).flat()
  const counts: Counts = { cells: 0, direct: 0, standIn: 0, phases: {} }
  const broken: Array<string> = []
  const perform = async (stand: Stand) => {
    for (let next = work.shift(); next !== undefined; next = work.shift()) {
      stand.bench.proxy.clearFaults()
      await runCell(stand, next.index, next.round, counts).catch((failure: unknown) => {
        broken.push(`${wordsOf(cellAt(next.index))}: ${failure instanceof Error ? failure.stack : failure}`)
      })
      if (asked && counts.cells % 100 === 0) console.log(`${counts.cells} cells, ${broken.length} broken`)
    }
  }
  await Promise.all(stands.map(perform))
  report({ ...sizes, ...counts, violations: broken.length })
  assert.deepStrictEqual(broken, [])
  if (!asked) assert.containsAllKeys(counts.phases, PHASES)
})

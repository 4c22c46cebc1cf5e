/** Reorganisations of a local chain under user operations that are carried out there. */
import { assert, it } from "vitest"
import { until } from "../support/Until.ts"
import { campaign } from "./Campaign.ts"
import { runCarriedReorg, standingWallets } from "./carried/Reorganised.ts"
import {
  brokenOn,
  type CarriedStand,
  carriedOut,
  lookAt,
  type Ready,
  startCarriedStand
} from "./carried/Stand.ts"
import { chanceFrom } from "./crash/Chance.ts"
import { endOf } from "./operating/Events.ts"
import { lapseAll } from "./sponsored/Lapse.ts"

/** A few in every run of the tests; far more in `npm run reorgs -- --operations`. */
const { seed, sizes, asked, report } = campaign("operated-reorgs", { count: 3, shallowest: 1, deepest: 64 })

/** Each makes blocks, by which a local chain's time runs ahead of what operations are good for. */
const REORGS_PER_STAND = 3
const OPERATION_SECONDS = 300
const COMPANIONS = 2
const ENDED = ["confirmed", "reverted"]

const kinds: Record<string, number> = {}
const ends: Record<string, number> = {}
const broken: Array<string> = []

const noting =
  (what: string) =>
  (failure: unknown): undefined => {
    broken.push(`${what}: ${failure instanceof Error ? failure.stack : failure}`)
  }

const count = (tally: Record<string, number>, name: string) => {
  tally[name] = (tally[name] ?? 0) + 1
}

/** Once its time is over. */
const settled = async (stand: CarriedStand, ready: Ready): Promise<void> => {
  const end = endOf(await carriedOut(stand), ready.operation)
  await until(
    () => lookAt(stand, ready),
    ({ state }) => state === end
  )
  count(ends, end)
}

const perform = async (stand: CarriedStand, from: number, to: number) => {
  const all: Array<Ready> = []
  for (const [each, standing] of (await standingWallets(stand, to - from, sizes.deepest)).entries()) {
    const chance = chanceFrom(seed + from + each)
    const depth = sizes.shallowest + chance.below(sizes.deepest - sizes.shallowest + 1)
    const running = runCarriedReorg(stand, standing, depth, chance, [...all])
    const done = await running.catch(noting(`${from + each}, depth ${depth}`))
    if (done === undefined) continue
    all.push(done.ready)
    count(kinds, done.kind)
  }
  await lapseAll(stand.chain.url, OPERATION_SECONDS + 60)
  for (const ready of all) await settled(stand, ready).catch(noting("the end"))
  // What was done may have been taken away since; it was held against its chain when it was told.
  const lasting = stand.told.filter(({ operation }) => !ENDED.includes(operation.state))
  broken.push(...(await brokenOn(stand, lasting)))
}

it("what is told of user operations follows the chain through every reorganisation", {
  timeout: asked ? 36_000_000 : 240_000
}, async () => {
  for (let from = 0; from < sizes.count; from += REORGS_PER_STAND) {
    const stand = await startCarriedStand({}, COMPANIONS)
    await perform(stand, from, Math.min(from + REORGS_PER_STAND, sizes.count)).finally(stand.stop)
    if (asked) console.log(`${from + REORGS_PER_STAND} reorganisations, ${broken.length} broken`)
  }
  report({ reorgs: sizes.count, kinds, ends, violations: broken.length })
  assert.deepStrictEqual(broken, [])
})

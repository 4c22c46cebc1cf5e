/** Reorganisations of a local chain under published requests that are executed there. */
import { assert, it } from "vitest"
import { campaign } from "./Campaign.ts"
import { chanceFrom } from "./crash/Chance.ts"
import { isDone } from "./sponsored/Ends.ts"
import { lapseAll } from "./sponsored/Lapse.ts"
import { assertEnded, runSponsoredReorg } from "./sponsored/Reorganised.ts"
import { runFundingReorg } from "./sponsored/ReorganisedFunding.ts"
import { placeNestedCaller } from "./sponsored/Shapes.ts"
import { brokenOn, type Ready, type SponsoredStand, startSponsoredStand } from "./sponsored/Stand.ts"

/** A few in every run of the tests; far more in `npm run reorgs -- --sponsored`. */
const { seed, sizes, asked, report } = campaign("sponsored-reorgs", { count: 6, shallowest: 1, deepest: 64 })

/** A local chain forgets old state after many blocks and rollbacks; a fresh one replaces it in time. */
const REORGS_PER_STAND = 10
/** In how many of them the owner's payment is what a reorganisation moves. */
const FUNDED_EVERY = 3
const REQUEST_SECONDS = 3_600

const kinds: Record<string, number> = {}
const broken: Array<string> = []

const noting =
  (what: string) =>
  (failure: unknown): undefined => {
    broken.push(`${what}: ${failure instanceof Error ? failure.stack : failure}`)
  }

const perform = async (stand: SponsoredStand, from: number, to: number) => {
  const all: Array<Ready> = []
  await placeNestedCaller(stand.bench.chain.url)
  for (let index = from; index < to; index++) {
    const chance = chanceFrom(seed + index)
    const depth = sizes.shallowest + chance.below(sizes.deepest - sizes.shallowest + 1)
    const run = index % FUNDED_EVERY === 0 ? runFundingReorg : runSponsoredReorg
    const done = await run(stand, depth, chance).catch(noting(`${index}, depth ${depth}`))
    if (done === undefined) continue
    all.push(done.ready)
    kinds[done.kind] = (kinds[done.kind] ?? 0) + 1
  }
  await lapseAll(stand.bench.chain.url, REQUEST_SECONDS + 60)
  for (const ready of all) await assertEnded(stand, ready).catch(noting("the end"))
  // What was done may have been taken away since; it was held against its chain when it was told.
  const lasting = stand.told.filter(({ sponsorship }) => !isDone(sponsorship.state))
  broken.push(...(await brokenOn(stand, lasting)))
}

it("what is told of published requests follows the chain through every reorganisation", {
  timeout: asked ? 36_000_000 : 240_000
}, async () => {
  for (let from = 0; from < sizes.count; from += REORGS_PER_STAND) {
    const stand = await startSponsoredStand({}, { requestSeconds: REQUEST_SECONDS })
    await perform(stand, from, Math.min(from + REORGS_PER_STAND, sizes.count)).finally(stand.stop)
    if (asked) console.log(`${from + REORGS_PER_STAND} reorganisations, ${broken.length} broken`)
  }
  report({ reorgs: sizes.count, kinds, violations: broken.length })
  assert.deepStrictEqual(broken, [])
})

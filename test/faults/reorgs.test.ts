import { afterAll, assert, beforeAll, it } from "vitest"
import { rpc } from "../support/RelayBench.ts"
import { campaign } from "./Campaign.ts"
import { chanceFrom } from "./crash/Chance.ts"
import { type Stand, startStand } from "./matrix/Stand.ts"
import { runReorg } from "./reorgs/Plans.ts"

/** As many as it takes to see each kind; far more in `npm run reorgs`. */
const { seed, sizes, asked, report } = campaign("reorgs", { count: 20, shallowest: 1, deepest: 64 })

const STANDS = asked ? 4 : 2
let stands: ReadonlyArray<Stand> = []

beforeAll(async () => {
  stands = await Promise.all(Array.from({ length: STANDS }, startStand))
  for (const { bench } of stands) await rpc(bench.chain.url, "evm_setAutomine", [false])
})

afterAll(async () => {
  await Promise.all(stands.map(({ stop }) => stop()))
})

it("steps and what rests on them follow the chain through every reorganisation", {
  timeout: asked ? 36_000_000 : 240_000
}, async () => {
  const kinds: Record<string, number> = {}
  const broken: Array<string> = []
  let next = 0
  const perform = async (stand: Stand) => {
    while (next < sizes.count) {
      const chance = chanceFrom(seed + next++)
      const depth = sizes.shallowest + chance.below(sizes.deepest - sizes.shallowest + 1)
      const kind = await runReorg(stand, depth, chance).catch((failure: unknown) => {
        broken.push(`depth ${depth}: ${failure instanceof Error ? failure.stack : failure}`)
        return "broken"
      })
      kinds[kind] = (kinds[kind] ?? 0) + 1
      if (asked && next % 50 === 0) console.log(`${next} reorganisations, ${broken.length} broken`)
    }
  }
  await Promise.all(stands.map(perform))
  report({ reorgs: sizes.count, kinds, violations: broken.length })
  assert.deepStrictEqual(broken, [])
  if (!asked) assert.containsAllKeys(kinds, ["gone", "moved", "partly moved"])
})

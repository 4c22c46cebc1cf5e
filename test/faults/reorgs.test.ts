import { assert, it } from "vitest"
import { rpc } from "../support/Rpc.ts"
import { campaign } from "./Campaign.ts"
import { chanceFrom } from "./crash/Chance.ts"
import { type Stand, startPatientStand } from "./matrix/Stand.ts"
import { runReorg } from "./reorgs/Plans.ts"

/** As many as it takes to see each kind; far more in `npm run reorgs`. */
const { seed, sizes, asked, report } = campaign("reorgs", { count: 20, shallowest: 1, deepest: 64 })

const LANES = asked ? 4 : 2
/** A local chain forgets old state after many blocks and rollbacks, its contracts with it; a fresh one replaces it in time. */
const REORGS_PER_STAND = 10

const freshStand = async (): Promise<Stand> => {
  const stand = await startPatientStand()
  await rpc(stand.bench.chain.url, "evm_setAutomine", [false])
  return stand
}

it("steps and what rests on them follow the chain through every reorganisation", {
  timeout: asked ? 36_000_000 : 240_000
}, async () => {
  const kinds: Record<string, number> = {}
  const broken: Array<string> = []
  let next = 0
  const perform = async (stand: Stand) => {
    for (let done = 0; done < REORGS_PER_STAND && next < sizes.count; done++) {
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
  const lane = async () => {
    while (next < sizes.count) {
      const stand = await freshStand()
      await perform(stand).finally(stand.stop)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  report({ reorgs: sizes.count, kinds, violations: broken.length })
  assert.deepStrictEqual(broken, [])
  if (!asked) assert.containsAllKeys(kinds, ["gone", "moved", "partly moved"])
})

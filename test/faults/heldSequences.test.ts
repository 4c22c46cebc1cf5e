import fc from "fast-check"
import { assert, it } from "vitest"
import { campaign } from "./Campaign.ts"
import { brokenOn, type CarriedStand, startCarriedStand } from "./carried/Stand.ts"
import { heldBroken } from "./held/Broken.ts"
import { heldSequence } from "./held/Commands.ts"
import { beginHeld, endHeld, performHeld } from "./held/Model.ts"

/** Few in every run of the tests; as many as wanted in `npm run faults -- --sequences --sessions`. */
const { seed, sizes, asked, report } = campaign("held-sequences", { count: 4 })

const LANES = asked ? 2 : 1
/** What is audited at the end of a stand grows with it. */
const SEQUENCES_PER_STAND = 5
const COMPANIONS = 2

it("any sequence of a session's plans, uses, reorganisations and faults is told as its chain has it", {
  timeout: asked ? 36_000_000 : 300_000
}, async () => {
  const commands: Record<string, number> = {}
  const outcomes: Record<string, number> = {}
  const broken: Array<string> = []
  let next = 0
  const playOne = (stand: CarriedStand, own: number) =>
    fc.assert(
      fc.asyncProperty(heldSequence, async steps => {
        const model = await beginHeld(stand, outcomes)
        for (const step of steps) {
          commands[step.do] = (commands[step.do] ?? 0) + 1
          await performHeld(model, step)
        }
        await endHeld(model)
      }),
      { numRuns: 1, seed: own, endOnFailure: true }
    )
  const play = async (stand: CarriedStand) => {
    await stand.companions()
    for (let done = 0; done < SEQUENCES_PER_STAND && next < sizes.count; done++) {
      const own = seed + next++
      await playOne(stand, own).catch((failure: unknown) => {
        const cause = failure instanceof Error ? (failure.cause ?? failure) : failure
        broken.push(`seed ${own}: ${failure}: ${cause instanceof Error ? cause.stack : cause}`)
        if (asked) console.log(broken.at(-1))
      })
      if (asked && next % 10 === 0) console.log(`${next} sequences, ${broken.length} broken`)
    }
    const found = [...(await heldBroken(stand)), ...(await brokenOn(stand))]
    if (asked) for (const line of found) console.log(`before seed ${seed + next}: ${line}`)
    broken.push(...found)
  }
  const lane = async () => {
    while (next < sizes.count) {
      const stand = await startCarriedStand({}, COMPANIONS)
      await play(stand).finally(stand.stop)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  report({ sequences: sizes.count, commands, outcomes, violations: broken.length })
  assert.deepStrictEqual(broken, [])
  if (!asked) assert.containsAllKeys(outcomes, ["active", "stale: reorg", "revoked", "use: nested"])
})

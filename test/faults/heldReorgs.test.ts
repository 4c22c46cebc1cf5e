/** Reorganisations of a local chain under the enabling, the use and the revocation of sessions. */
import { assert, it } from "vitest"
import { mine } from "../support/RelayBench.ts"
import { campaign } from "./Campaign.ts"
import { brokenOn, type CarriedStand, startCarriedStand } from "./carried/Stand.ts"
import { type Chance, chanceFrom } from "./crash/Chance.ts"
import { heldBroken } from "./held/Broken.ts"
import type { Command } from "./held/Commands.ts"
import { beginHeld, endHeld, performHeld } from "./held/Model.ts"

/** One of each in every run of the tests; far more in `npm run reorgs -- --sessions`. */
const { seed, sizes, asked, report } = campaign("held-reorgs", { count: 3, shallowest: 1, deepest: 64 })

/** What is audited at the end of a stand grows with it. */
const REORGS_PER_STAND = 3
const COMPANIONS = 2
const HAPPENINGS = ["enable", "use", "revoke"] as const
const INTO = ["nothing", "the same", "another shape", "another shape"] as const
const SHAPES = ["alone", "nested", "among-others"] as const

const LOOK: Command = { do: "look" }

/** What is final before it, what is taken back, and what comes afterwards. */
const around = (
  happening: (typeof HAPPENINGS)[number],
  depth: number,
  chance: Chance
): ReadonlyArray<Command> => {
  const enabled: ReadonlyArray<Command> = [{ do: "enable" }, LOOK, { do: "settle" }, LOOK]
  const use: Command = { do: "use", amount: 1 + chance.below(1_000), conduct: chance.pick(SHAPES) }
  const taken: Command = happening === "use" ? use : { do: happening }
  const blocks = chance.below(depth)
  const later: ReadonlyArray<Command> = blocks > 0 ? [{ do: "mine", blocks }, LOOK] : []
  const again: Command = happening === "use" ? { do: "again" } : { do: happening }
  return [
    ...(happening === "enable" ? [] : enabled),
    ...[taken, LOOK, ...later],
    { do: "reorg", depth, into: chance.pick(INTO) },
    ...[{ ...use, amount: 1 }, { do: "mine", blocks: 1 + chance.below(3) } as const, LOOK],
    ...(chance.happens(0.7) ? [again, LOOK] : [])
  ]
}

const outcomes: Record<string, number> = {}

const reorganised = async (stand: CarriedStand, index: number) => {
  const chance = chanceFrom(seed + index)
  const depth = sizes.shallowest + chance.below(sizes.deepest - sizes.shallowest + 1)
  const model = await beginHeld(stand, outcomes)
  await mine(stand, sizes.deepest)
  const happening = HAPPENINGS[index % HAPPENINGS.length] ?? "enable"
  for (const command of around(happening, depth, chance)) await performHeld(model, command)
  await endHeld(model)
}

const playLot = async (stand: CarriedStand, from: number, to: number, broken: Array<string>) => {
  for (let index = from; index < to; index++)
    await reorganised(stand, index).catch((failure: unknown) => {
      broken.push(`${index}: ${failure instanceof Error ? failure.stack : failure}`)
      if (asked) console.log(broken.at(-1))
    })
  broken.push(...(await heldBroken(stand)), ...(await brokenOn(stand)))
}

it("what is told of sessions follows the chain through every reorganisation", {
  timeout: asked ? 36_000_000 : 240_000
}, async () => {
  const broken: Array<string> = []
  for (let from = 0; from < sizes.count; from += REORGS_PER_STAND) {
    const stand = await startCarriedStand({}, COMPANIONS)
    await stand.companions()
    await playLot(stand, from, Math.min(from + REORGS_PER_STAND, sizes.count), broken)
    await stand.stop()
    if (asked) console.log(`${from + REORGS_PER_STAND} reorganisations, ${broken.length} broken`)
  }
  report({ reorgs: sizes.count, outcomes, violations: broken.length })
  assert.deepStrictEqual(broken, [])
  assert.containsAllKeys(
    outcomes,
    HAPPENINGS.map(happening => `reorg of ${happening}`)
  )
})

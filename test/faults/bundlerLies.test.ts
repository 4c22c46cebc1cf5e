/** A bundler and a paymaster that lie about every thing that they can lie about, and what comes of it. */
import { afterAll, assert, it } from "vitest"
import { LIE_CASES, type LieCase } from "../bundler/scripted/Lies.ts"
import { hurriedClock } from "../support/Clocks.ts"
import { until } from "../support/Until.ts"
import { campaign } from "./Campaign.ts"
import { runCarriedLie } from "./carried/Lie.ts"
import { brokenOn, carriedOut, lookAt, type Ready, startCarriedStand } from "./carried/Stand.ts"
import { type Chance, chanceFrom } from "./crash/Chance.ts"
import { endOf } from "./operating/Events.ts"
import { lapseAll } from "./sponsored/Lapse.ts"

/** Some of them in every run of the tests; each in `npm run faults -- --bundler`. */
const { seed, sizes, asked, report } = campaign("bundler-lies", { count: 8, times: 1 })

const PACE = 10
/** As many as a bundle has beside ours: with it 128 where a command asks for all. */
const COMPANIONS = asked ? 127 : 3
const OPERATION_SECONDS = 300
/** A lie takes two or three of the 1,024 blocks whose states are kept. */
const LOOKED_AT_EVERY = 100

const stand = await startCarriedStand({ clock: hurriedClock(PACE) }, COMPANIONS)

afterAll(() => stand.stop())

const shuffled = (chance: Chance): ReadonlyArray<LieCase> =>
  LIE_CASES.map(one => ({ one, place: chance.below(1e6) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one)

const [first = assert.fail("no lies"), ...others] = LIE_CASES

/** What it serves is asked once and known for a while, so that lie comes first. */
const wanted = (): ReadonlyArray<LieCase> =>
  asked
    ? [first, ...Array.from({ length: sizes.times }, () => others).flat()]
    : [first, ...shuffled(chanceFrom(seed)).slice(0, sizes.count)]

const ended = async (ready: Ready): Promise<string> => {
  const end = endOf(await carriedOut(stand), ready.operation)
  const { state } = await until(
    () => lookAt(stand, ready),
    told => told.state === end
  )
  return state
}

it("no lie of a bundler or a paymaster has anything sent twice, or taken for done", {
  timeout: asked ? 36_000_000 : 240_000
}, async () => {
  const broken: Array<string> = []
  const ends: Record<string, number> = {}
  const count = (end: string) => {
    ends[end] = (ends[end] ?? 0) + 1
  }
  const cases = wanted()
  const sent: Array<readonly [string, Ready]> = []
  for (const [index, one] of cases.entries()) {
    const name = `${one.method} ${one.lie.name}`
    const ready = await runCarriedLie(stand, one, chanceFrom(seed + index)).catch((failure: unknown) => {
      broken.push(`${name}: ${failure instanceof Error ? failure.stack : failure}`)
    })
    await stand.script.disarm()
    if (ready === undefined) count("refused")
    else sent.push([name, ready])
    /** Before the chain forgets the states that they are judged by. */
    if (index % LOOKED_AT_EVERY === LOOKED_AT_EVERY - 1)
      for (const [, left] of sent) await lookAt(stand, left)
    if (asked && index % 20 === 0) console.log(`${index} lies, ${broken.length} broken`)
  }
  assert.isAbove(sent.length, 0, "all were refused")
  await lapseAll(stand.chain.url, OPERATION_SECONDS + 60)
  for (const [name, ready] of sent)
    count(
      await ended(ready).catch((failure: unknown) => {
        broken.push(`${name} ends: ${failure instanceof Error ? failure.message : failure}`)
        return "broken"
      })
    )
  broken.push(...(await brokenOn(stand)))
  report({ lies: cases.length, ends, violations: broken.length })
  assert.deepStrictEqual(broken, [])
})

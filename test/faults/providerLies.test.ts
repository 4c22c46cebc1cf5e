/** A provider that lies about every thing that it can lie about, and what comes of it. */
import { afterAll, assert, it } from "vitest"
import { hurriedClock } from "../support/Clocks.ts"
import { until } from "../support/Until.ts"
import { campaign } from "./Campaign.ts"
import { type Chance, chanceFrom } from "./crash/Chance.ts"
import { endsOf } from "./sponsored/Ends.ts"
import { lapseAll } from "./sponsored/Lapse.ts"
import { LIE_CASES, type LieCase, PACE, runLie } from "./sponsored/Lie.ts"
import { brokenOn, executionsOf, lookAt, type Ready, startSponsoredStand } from "./sponsored/Stand.ts"

/** Some of them in every run of the tests; each in `npm run faults -- --provider`. */
const { seed, sizes, asked, report } = campaign("provider-lies", { count: 6, times: 1 })

const REQUEST_SECONDS = 3_600

const stand = await startSponsoredStand({ clock: hurriedClock(PACE) }, { requestSeconds: REQUEST_SECONDS })

afterAll(() => stand.stop())

const shuffled = (chance: Chance): ReadonlyArray<LieCase> =>
  LIE_CASES.map(one => ({ one, place: chance.below(1e6) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one)

const wanted = (): ReadonlyArray<LieCase> =>
  asked
    ? Array.from({ length: sizes.times }, () => LIE_CASES).flat()
    : shuffled(chanceFrom(seed)).slice(0, sizes.count)

const endOf = async (ready: Ready): Promise<string> => {
  const ends: ReadonlyArray<string> = endsOf(await executionsOf(stand), ready.sponsorship)
  const { state } = await until(
    () => lookAt(stand, ready),
    told => ends.includes(told.state)
  )
  return state
}

it("no lie of a provider has anything published twice, paid for in vain or taken for done", {
  timeout: asked ? 36_000_000 : 240_000
}, async () => {
  const broken: Array<string> = []
  const ends: Record<string, number> = {}
  const cases = wanted()
  const published: Array<readonly [LieCase, Ready]> = []
  for (const [index, one] of cases.entries()) {
    const ready = await runLie(stand, one, chanceFrom(seed + index)).catch((failure: unknown) => {
      broken.push(`${one.path} ${one.lie}: ${failure instanceof Error ? failure.stack : failure}`)
    })
    if (ready !== undefined) published.push([one, ready])
    if (asked && index % 20 === 0) console.log(`${index} lies, ${broken.length} broken`)
  }
  await lapseAll(stand.bench.chain.url, REQUEST_SECONDS + 60)
  for (const [{ path, lie }, ready] of published) {
    const state = await endOf(ready).catch((failure: unknown) => {
      broken.push(`${path} ${lie} ends: ${failure instanceof Error ? failure.message : failure}`)
      return "broken"
    })
    ends[state] = (ends[state] ?? 0) + 1
  }
  broken.push(...(await brokenOn(stand)))
  report({ lies: cases.length, ends, violations: broken.length })
  assert.deepStrictEqual(broken, [])
})

/** Nodes that fail or lie amid the preparation, the sending and the proof of user operations. */
import { afterAll, assert, it } from "vitest"
import { hurriedClock } from "../support/Clocks.ts"
import { until } from "../support/Until.ts"
import { campaign } from "./Campaign.ts"
import { nodeCase, runNodeFault } from "./carried/NodeFault.ts"
import { brokenOn, carriedOut, lookAt, type Ready, startCarriedStand } from "./carried/Stand.ts"
import { chanceFrom } from "./crash/Chance.ts"
import { endOf } from "./operating/Events.ts"
import { lapseAll } from "./sponsored/Lapse.ts"

/** Some in every run of the tests; as many as wanted in `npm run faults -- --nodes`. */
const { seed, sizes, asked, report } = campaign("operation-nodes", { count: 8 })

const PACE = 10
const OPERATION_SECONDS = 300

const stand = await startCarriedStand({ clock: hurriedClock(PACE) }, 0)

afterAll(() => stand.stop())

it("no fault of a node has an operation sent twice, or taken for done", {
  timeout: asked ? 36_000_000 : 240_000
}, async () => {
  const broken: Array<string> = []
  const ends: Record<string, number> = {}
  const sent: Array<readonly [string, Ready]> = []
  const count = (end: string) => {
    ends[end] = (ends[end] ?? 0) + 1
  }
  for (let index = 0; index < sizes.count; index++) {
    const chance = chanceFrom(seed + index)
    const one = nodeCase(chance)
    const name = Object.values(one).join(" ")
    const ready = await runNodeFault(stand, one, chance).catch((failure: unknown) => {
      broken.push(`${name}: ${failure instanceof Error ? failure.stack : failure}`)
    })
    stand.proxy.clearFaults()
    if (ready === undefined) count("refused")
    else sent.push([name, ready])
    if (asked && index % 20 === 0) console.log(`${index} faults, ${broken.length} broken`)
  }
  assert.isAbove(sent.length, 0, "all were refused")
  await lapseAll(stand.chain.url, OPERATION_SECONDS + 60)
  for (const [name, ready] of sent) {
    const end = endOf(await carriedOut(stand), ready.operation)
    const told = await until(
      () => lookAt(stand, ready),
      ({ state }) => state === end
    ).catch((failure: unknown) => {
      broken.push(`${name} ends: ${failure instanceof Error ? failure.message : failure}`)
    })
    count(told?.state ?? "broken")
  }
  broken.push(...(await brokenOn(stand)))
  report({ faults: sizes.count, ends, violations: broken.length })
  assert.deepStrictEqual(broken, [])
})

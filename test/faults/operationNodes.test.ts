/** Nodes that fail or lie amid the preparation, the sending and the proof of user operations. */
import { assert, it } from "vitest"
import { hurriedClock } from "../support/Clocks.ts"
import { until } from "../support/Until.ts"
import { campaign } from "./Campaign.ts"
import { nodeCase, runNodeFault } from "./carried/NodeFault.ts"
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

/** Some in every run of the tests; as many as wanted in `npm run faults -- --nodes`. */
const { seed, sizes, asked, report } = campaign("operation-nodes", { count: 8 })

/** A local chain takes the longer for a block the more it has. */
const FAULTS_PER_STAND = 100
const PACE = 10
const OPERATION_SECONDS = 300

const ends: Record<string, number> = {}
const broken: Array<string> = []

const count = (end: string) => {
  ends[end] = (ends[end] ?? 0) + 1
}

/** What was sent although the node failed. */
const struck = async (stand: CarriedStand, from: number, to: number) => {
  const sent: Array<readonly [string, Ready]> = []
  for (let index = from; index < to; index++) {
    const chance = chanceFrom(seed + index)
    const one = nodeCase(chance)
    const name = Object.values(one).join(" ")
    const ready = await runNodeFault(stand, one, chance).catch((failure: unknown) => {
      broken.push(`${name}: ${failure instanceof Error ? failure.stack : failure}`)
    })
    stand.proxy.clearFaults()
    if (ready === undefined) count("refused")
    else sent.push([name, ready])
  }
  return sent
}

const ended = async (stand: CarriedStand, sent: ReadonlyArray<readonly [string, Ready]>) => {
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
}

it("no fault of a node has an operation sent twice, or taken for done", {
  timeout: asked ? 36_000_000 : 240_000
}, async () => {
  for (let from = 0; from < sizes.count; from += FAULTS_PER_STAND) {
    const stand = await startCarriedStand({ clock: hurriedClock(PACE) }, 0)
    const to = Math.min(from + FAULTS_PER_STAND, sizes.count)
    await struck(stand, from, to)
      .then(sent => ended(stand, sent))
      .finally(stand.stop)
    if (asked) console.log(`${to} faults, ${broken.length} broken`)
  }
  report({ faults: sizes.count, ends, violations: broken.length })
  assert.deepStrictEqual(broken, [])
  assert.notDeepEqual(Object.keys(ends), ["refused"])
})

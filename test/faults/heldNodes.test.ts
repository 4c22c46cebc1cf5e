/** Nodes that fail or lie while a session is prepared, enabled, looked at, used and revoked. */
import { assert, it } from "vitest"
import { hurriedClock } from "../support/Clocks.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { until } from "../support/Until.ts"
import { campaign } from "./Campaign.ts"
import { brokenOn, type CarriedStand, startCarriedStand } from "./carried/Stand.ts"
import { type Chance, chanceFrom } from "./crash/Chance.ts"
import { heldBroken } from "./held/Broken.ts"
import { assertEnded, beginFlow, type HeldFlow, STEPS, type Step } from "./held/Flow.ts"
import { FAULTS, type Method } from "./matrix/Cells.ts"
import { strikeOf } from "./matrix/Faults.ts"

/** Some in every run of the tests; as many as wanted in `npm run faults -- --nodes --sessions`. */
const { seed, sizes, asked, report } = campaign("held-nodes", { count: 4 })

/** A local chain takes the longer for a block the more it has. */
const FAULTS_PER_STAND = 20
const PACE = 4
const LASTING = 1_000_000
const OLDER_BLOCKS = 4
const FINAL_BLOCKS = 70
const METHODS: readonly [Method, ...Array<Method>] = [
  "eth_getBlockByNumber",
  "eth_getBlockByNumber",
  "eth_call",
  "eth_getCode",
  "eth_getStorageAt",
  "eth_simulateV1",
  "eth_chainId"
]

const olderBlock = async ({ chain }: CarriedStand) => {
  const head = Number(await rpc(chain.url, "eth_blockNumber"))
  return rpc(chain.url, "eth_getBlockByNumber", [`0x${(head - OLDER_BLOCKS).toString(16)}`, false])
}

const outcomes: Record<string, number> = {}

/** What a lie made doubtful is believed again once what is seen then is final. */
const isDoubted = async (step: Step, answer: Response): Promise<boolean> => {
  const { state, code } = await answer.clone().json()
  return step === "look" ? answer.ok && state !== "active" : code === "SESSION_NOT_ACTIVE"
}

const settled = (stand: CarriedStand, flow: HeldFlow, step: Step): Promise<Response> =>
  until(
    async () => {
      const answer = await flow.ask(step)
      if (!(await isDoubted(step, answer))) return answer
      await mine(stand, FINAL_BLOCKS)
      return undefined
    },
    answer => answer?.ok === true
  ).then(answer => answer ?? assert.fail("nothing was answered"))

const idIn = async (answer: Response): Promise<string> => {
  const told = await answer.clone().json()
  return String(told.plan?.id ?? told.id)
}

/** A node that failed a moment ago is believed to fail for a while. */
const begun = async (stand: CarriedStand): Promise<HeldFlow> => {
  const flow = await until(
    () => beginFlow(stand).catch(String),
    one => typeof one !== "string"
  )
  return typeof flow === "string" ? assert.fail(flow) : flow
}

const runFault = async (stand: CarriedStand, index: number, chance: Chance) => {
  const struck = STEPS[index % STEPS.length] ?? "look"
  const [fault, method] = [chance.pick(FAULTS), chance.pick(METHODS)]
  const flow = await begun(stand)
  for (const step of STEPS) {
    if (step !== struck) {
      await flow.done(step, await settled(stand, flow, step))
      continue
    }
    const strike = strikeOf(fault, method, { chance, older: await olderBlock(stand) })
    stand.proxy.fault({ method, times: LASTING, ...strike })
    const answer = await flow.ask(step).finally(stand.proxy.clearFaults)
    assert.notStrictEqual(answer.status, 500, await answer.clone().text())
    const first = answer.ok ? await idIn(answer) : undefined
    const kind = `${step} ${answer.ok ? "answered" : "refused"}`
    outcomes[kind] = (outcomes[kind] ?? 0) + 1
    if (step === "send" && !answer.ok) assert.strictEqual(flow.timesSent(), 0, "refused, and sent")
    const again = await settled(stand, flow, step)
    if (first !== undefined) assert.strictEqual(await idIn(again), first, "another outcome of one key")
    await flow.done(step, again)
  }
  await assertEnded(flow)
}

const playLot = async (stand: CarriedStand, from: number, to: number, broken: Array<string>) => {
  for (let index = from; index < to; index++) {
    await runFault(stand, index, chanceFrom(seed + index)).catch((failure: unknown) => {
      broken.push(`${seed + index}: ${failure instanceof Error ? failure.stack : failure}`)
      if (asked) console.log(broken.at(-1))
    })
    stand.proxy.clearFaults()
  }
  broken.push(...(await heldBroken(stand)), ...(await brokenOn(stand)))
}

it("no fault of a node enables, spends or revokes what its chain does not", {
  timeout: asked ? 36_000_000 : 240_000
}, async () => {
  const broken: Array<string> = []
  for (let from = 0; from < sizes.count; from += FAULTS_PER_STAND) {
    const stand = await startCarriedStand({ clock: hurriedClock(PACE) }, 0)
    const to = Math.min(from + FAULTS_PER_STAND, sizes.count)
    await playLot(stand, from, to, broken).finally(stand.stop)
    if (asked) console.log(`${to} faults, ${broken.length} broken`)
  }
  report({ faults: sizes.count, outcomes, violations: broken.length })
  assert.deepStrictEqual(broken, [])
})

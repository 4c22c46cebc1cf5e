/** A request whose nonce another one of the wallet took for good ends: nothing is asked for it, it is not watched for ever, and it hides nothing. */
import { Effect } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { SponsoredCallStore } from "../../src/sponsorship/SponsoredCallStore.ts"
import { sightsPass } from "../support/LookedOften.ts"
import { payment, stepOf } from "../support/PlannedCalls.ts"
import type { Question } from "../support/RecordingProxy.ts"
import { mine } from "../support/RelayBench.ts"
import { sqlOn } from "../support/Sql.ts"
import { sweep } from "../support/Sweeps.ts"
import { watchOf } from "../support/WatchOf.ts"
import { workerOf } from "../support/Worker.ts"
import {
  BLOCKS_TO_FINALITY,
  confirm,
  execute,
  executeRival,
  hint,
  look,
  makeDue,
  observationOf,
  type Publication,
  publication,
  startExecutingBench
} from "./support/Executing.ts"

const bench = await startExecutingBench()
const worker = workerOf(bench)

afterAll(async () => {
  await worker.dispose()
  await bench.stop()
})

const LOOKS = 25
const CONFIRMATIONS_TO_FINALITY = 256
/** More than one look reads of a node that answers ten blocks at a time. */
const FAR = 300

const isWide = ({ method, params: [filter] }: Question): boolean => {
  const blockOf = (name: string) => Number(Reflect.get(Object(filter), name))
  return method === "eth_getLogs" && blockOf("toBlock") - blockOf("fromBlock") >= 10
}

const sweeps = async (made: Publication, count: number): Promise<void> => {
  for (let look = 0; look < count; look++) {
    await sightsPass(bench.service.databaseUrl, made.plan.id)
    await makeDue(bench, made)
    await worker.runPromise(sweep)
  }
}

const reasonsOf = async (made: Publication) => {
  const { sponsorship } = await look(bench, made)
  const { observations, nextAction } = sponsorship
  return { reasons: observations.map(({ state, reason }) => [state, reason]), nextAction }
}

describe("a request whose nonce another one took", () => {
  it("is nothing to be paid for, and ends once that is final", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    await executeRival(bench, made)
    await confirm(bench)
    const before = await reasonsOf(made)
    assert.deepStrictEqual(before.reasons, [["unknown", "EXECUTION_NOT_OURS"]])
    assert.strictEqual(before.nextAction.kind, "wait")
    const { sponsorship, plan } = await look(bench, made)
    assert.strictEqual(stepOf(plan).state, "unknown")
    assert.notInclude(["completed", "execution_verified", "failed"], sponsorship.state)
    await mine(bench, BLOCKS_TO_FINALITY)
    await sweeps(made, 2)
    const after = await reasonsOf(made)
    assert.deepStrictEqual(after.reasons, [["unknown", "FORWARD_NONCE_CONSUMED"]])
    assert.strictEqual(after.nextAction.kind, "none")
    assert.deepStrictEqual(await watchOf(bench.service.databaseUrl, made.plan), {
      watched: true,
      pending: true
    })
    await sweeps(made, LOOKS)
    assert.deepStrictEqual(await watchOf(bench.service.databaseUrl, made.plan), {
      watched: false,
      pending: false
    })
    assert.deepStrictEqual((await reasonsOf(made)).reasons, after.reasons)
    assert.deepStrictEqual(await watchOf(bench.service.databaseUrl, made.plan), {
      watched: false,
      pending: false
    })
  })

  it("ends by its confirmations where its node knows no final block", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    await executeRival(bench, made)
    await mine(bench, CONFIRMATIONS_TO_FINALITY)
    const rewrite = ({ params: [tag] }: Question, result: unknown) =>
      tag === "safe" || tag === "finalized" ? null : result
    const act = { kind: "rewrite", rewrite } as const
    bench.proxy.fault({ method: "eth_getBlockByNumber", times: 10_000, phase: "after", act })
    const { reasons, nextAction } = await reasonsOf(made)
    bench.proxy.clearFaults()
    assert.deepStrictEqual([reasons, nextAction.kind], [[["unknown", "FORWARD_NONCE_CONSUMED"]], "none"])
  })

  it("is not told to be taken for good at first sight, however often nothing could be seen before", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    await executeRival(bench, made)
    await mine(bench, BLOCKS_TO_FINALITY)
    const rewrite = ({ method }: Question) => (method === "eth_getLogs" ? [] : undefined)
    const act = { kind: "rewrite", rewrite } as const
    bench.proxy.fault({ method: "eth_getLogs", times: 10_000, phase: "after", act })
    await sqlOn(bench.service.databaseUrl, "UPDATE plans SET sweep_attempts = $2 WHERE id = $1", [
      made.plan.id,
      LOOKS
    ])
    await sweeps(made, 1)
    const { reasons } = await reasonsOf(made)
    bench.proxy.clearFaults()
    assert.deepStrictEqual(reasons, [["unknown", "FORWARD_NONCE_PASSED"]])
    assert.deepStrictEqual(await watchOf(bench.service.databaseUrl, made.plan), {
      watched: true,
      pending: true
    })
  })

  it("stays as it was seen where a look cannot read the wallet's nonce at the final block", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    await executeRival(bench, made)
    await mine(bench, BLOCKS_TO_FINALITY)
    let tellsNonces = true
    const rewrite = ({ method }: Question) => {
      if (method === "eth_getLogs") return []
      return method === "eth_call" && !tellsNonces ? "0x" : undefined
    }
    const act = { kind: "rewrite", rewrite } as const
    for (const method of ["eth_getLogs", "eth_call"])
      bench.proxy.fault({ method, times: 10_000, phase: "after", act })
    await sweeps(made, 3)
    const sights = () =>
      sqlOn(bench.service.databaseUrl, "SELECT sights ->> 'count' AS count FROM plan_steps WHERE plan = $1", [
        made.plan.id
      ])
    const before = await sights()
    tellsNonces = false
    await sweeps(made, 1)
    const { reasons } = await reasonsOf(made)
    bench.proxy.clearFaults()
    assert.deepStrictEqual(reasons, [["unknown", "FORWARD_NONCE_PASSED"]])
    assert.deepStrictEqual(await sights(), before)
  })

  it("is executed after all where many looks went past its block while the node told no logs", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    await execute(bench, made, 0)
    await mine(bench, FAR)
    const within = (calls: ReadonlyArray<Question>) => calls.some(isWide)
    const refusal = { kind: "error", code: -32_005, message: "the range is too large" } as const
    bench.proxy.fault({ method: "eth_getLogs", times: 10_000, phase: "after", within, act: refusal })
    const rewrite = ({ method }: Question) => (method === "eth_getLogs" ? [] : undefined)
    bench.proxy.fault({
      method: "eth_getLogs",
      times: 10_000,
      phase: "after",
      act: { kind: "rewrite", rewrite }
    })
    const reasonOf = async () => observationOf((await look(bench, made)).sponsorship).reason
    for (let looks = 0; looks < 12 && (await reasonOf()) === undefined; looks++) await sweeps(made, 1)
    for (let looks = 0; looks < 12; looks++) assert.strictEqual(await reasonOf(), "FORWARD_NONCE_PASSED")
    await sqlOn(bench.service.databaseUrl, "UPDATE plan_steps SET sights = $2 WHERE plan = $1", [
      made.plan.id,
      JSON.stringify({ count: LOOKS - 2, at: 0 })
    ])
    assert.strictEqual(await reasonOf(), "FORWARD_NONCE_PASSED")
    bench.proxy.clearFaults()
    assert.strictEqual(observationOf((await look(bench, made)).sponsorship).state, "confirmed")
  })

  it("ends too where a transaction had failed around it before", async () => {
    const made = await publication(bench, { lie: "executes-never" })
    const failed = await execute(bench, made, 0, 60_000)
    await hint(bench, made, failed)
    await mine(bench, BLOCKS_TO_FINALITY)
    assert.deepStrictEqual((await reasonsOf(made)).reasons, [["reverted", undefined]])
    await executeRival(bench, made)
    await mine(bench, BLOCKS_TO_FINALITY)
    await sweeps(made, 2)
    const { reasons, nextAction } = await reasonsOf(made)
    assert.deepStrictEqual([reasons, nextAction.kind], [[["unknown", "FORWARD_NONCE_CONSUMED"]], "none"])
  })

  it("is none whose arrival is unknown", async () => {
    const made = await publication(bench, { lie: "wire-500" })
    await sqlOn(bench.service.databaseUrl, "UPDATE publications SET expires_at = 0 WHERE sponsorship = $1", [
      made.sponsorship.id
    ])
    const unknown = () => worker.runPromise(Effect.flatMap(SponsoredCallStore, store => store.unknown))
    assert.strictEqual((await unknown()).count, 1)
    await executeRival(bench, made)
    await mine(bench, BLOCKS_TO_FINALITY)
    await sweeps(made, 3)
    assert.strictEqual(observationOf((await look(bench, made)).sponsorship).reason, "FORWARD_NONCE_CONSUMED")
    assert.strictEqual((await unknown()).count, 0)
  })

  it("holds back no search for those that come after it", async () => {
    const pay = payment(bench, "0x70997970C51812dc3A010C7d01b50e0d17dc79C8")
    const made = await publication(bench, { calls: [pay, pay], lie: "executes-never" })
    await executeRival(bench, made)
    await mine(bench, FAR)
    await execute(bench, made, 1)
    await mine(bench, BLOCKS_TO_FINALITY)
    bench.proxy.fault({
      method: "eth_getLogs",
      times: 10_000,
      phase: "before",
      within: calls => calls.some(isWide),
      act: { kind: "error", code: -32_005, message: "the range is too large" }
    })
    await sweeps(made, LOOKS)
    const { observations } = (await look(bench, made)).sponsorship
    bench.proxy.clearFaults()
    assert.deepStrictEqual(
      observations.map(({ state }) => state),
      ["unknown", "confirmed"]
    )
  })
})

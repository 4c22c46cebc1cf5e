/** Something else has a sent operation's nonce for good: that is believed once recovery saw it so often and long enough, whoever waits for the operation. */
import { afterAll, assert, describe, it } from "vitest"
import { ANYBODY, BLOCKS_TO_FINALITY, confirm } from "../sponsorship/support/Executing.ts"
import { LOOKS, sightsPass } from "../support/LookedOften.ts"
import { payment, stepOf } from "../support/PlannedCalls.ts"
import { mine, newPayer, startRelayBench } from "../support/RelayBench.ts"
import { signedFetch } from "../support/SignedFetch.ts"
import { sweep } from "../support/Sweeps.ts"
import { watchOf } from "../support/WatchOf.ts"
import { workerOf } from "../support/Worker.ts"
import {
  execute,
  look,
  makeDue,
  newWallet,
  record,
  type SentOperation,
  sentOperation,
  shownOperation,
  signedOperation
} from "./support/Sent.ts"

const bench = await startRelayBench()
const recovery = workerOf(bench)

afterAll(async () => {
  await recovery.dispose()
  await bench.stop()
})

const seen = async (made: SentOperation) => {
  const { externalExecution, semantic } = stepOf(await look(bench, made))
  return { state: externalExecution?.state, reason: semantic?.reason }
}

const reasonOf = async (made: SentOperation) => (await seen(made)).reason

/** Each a while after the one before, and after what is done between. */
const looks = async (made: SentOperation, count: number, between = async () => {}) => {
  for (let look = 0; look < count; look++) {
    await between()
    await sightsPass(bench.service.databaseUrl, made.plan.id)
    await makeDue(bench, made)
    await recovery.runPromise(sweep)
  }
}

const LET_GO = { watched: false, pending: false }

/** After so many looks of recovery that nobody's silence for a while is taken for it. */
const isLetGo = async (made: SentOperation, between?: () => Promise<void>) => {
  await looks(made, LOOKS + 1, between)
  assert.deepStrictEqual(await watchOf(bench.service.databaseUrl, made.plan), LET_GO)
}

describe("another operation of the wallet with the same nonce", () => {
  const PASSED = "OPERATION_NONCE_PASSED"
  const CONSUMED = "OPERATION_NONCE_CONSUMED"

  /** Its nonce is used at a final block, and no event says that by it. */
  const superseded = async (calls = 1) => {
    const owner = await newPayer(bench)
    const wallet = await newWallet(bench)
    const pay = payment(bench, ANYBODY)
    const made = await sentOperation(bench, {
      owner,
      wallet,
      calls: Array.from({ length: calls }, () => pay),
      steps: [0]
    })
    const twin = await signedOperation(bench, wallet, made.plan.calls.slice(0, 1), { validFor: 299 })
    await execute(bench, [twin])
    await confirm(bench)
    assert.strictEqual((await seen(made)).state, "pending")
    await mine(bench, BLOCKS_TO_FINALITY)
    const { state, reason } = await seen(made)
    assert.deepStrictEqual([state, reason], ["unknown", PASSED])
    return made
  }

  it("leaves the sent one unknown once that is final, neither executed nor failed", async () => {
    const made = await superseded()
    assert.isNull((await record(bench, made)).dead_hash)
    assert.strictEqual((await shownOperation(bench, made)).nextAction.kind, "wait")
    await isLetGo(made)
    assert.strictEqual(await reasonOf(made), CONSUMED)
    const { nextAction } = await shownOperation(bench, made)
    assert.strictEqual(nextAction.kind, "none")
    assert.match(nextAction.reason ?? "", /used its nonce/)
    await isLetGo(made)
  })

  it("is believed though somebody waits for the sent one all the time", async () => {
    const made = await superseded()
    const waiting = async () => {
      const { revision } = await shownOperation(bench, made)
      const path = `/api/v1/user-operations/${made.id}?wait=1&since=${revision}`
      assert.strictEqual((await signedFetch(bench.service, made.owner, "GET", path)).status, 200)
    }
    await isLetGo(made, waiting)
    assert.strictEqual(await reasonOf(made), CONSUMED)
  })

  it("is believed after no looks that follow each other within seconds, and those are no news", async () => {
    const made = await superseded()
    const { revision } = await shownOperation(bench, made)
    for (let look = 0; look <= LOOKS; look++) {
      await makeDue(bench, made)
      await recovery.runPromise(sweep)
    }
    assert.strictEqual(await reasonOf(made), PASSED)
    await looks(made, LOOKS - 1)
    assert.strictEqual((await shownOperation(bench, made)).revision, revision)
    await isLetGo(made)
  })

  it("is believed after no looks that saw nothing", async () => {
    const made = await superseded()
    bench.proxy.fault({
      method: "eth_getBlockByNumber",
      times: 1_000,
      phase: "after",
      act: { kind: "error", code: -32_603, message: "no answer" }
    })
    await looks(made, LOOKS + 1)
    bench.proxy.clearFaults()
    await looks(made, 1)
    assert.strictEqual(await reasonOf(made), PASSED)
    assert.notDeepEqual(await watchOf(bench.service.databaseUrl, made.plan), LET_GO)
  })

  it("is believed though another step of the plan has other confirmations at each look", async () => {
    const made = await superseded(2)
    const { owner, wallet, plan } = made
    const next = await sentOperation(bench, { owner, wallet, plan, steps: [1] })
    await execute(bench, [next])
    await confirm(bench)
    const { revision } = await look(bench, made)
    await looks(made, LOOKS + 1, () => mine(bench))
    const after = await look(bench, made)
    assert.isAtLeast(after.revision, revision + LOOKS)
    assert.deepInclude(stepOf(after).semantic, { reason: CONSUMED })
  })
})

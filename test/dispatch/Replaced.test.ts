import { afterAll, assert, describe, it } from "vitest"
import { WALLET_NONCE_CONSUMED, WALLET_NONCE_PASSED } from "../../src/plans/Observation.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import { LOOKS, lookedOften, sightsPass } from "../support/LookedOften.ts"
import { relayedAndMined } from "../support/Mined.ts"
import { callOf, stepOf } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import type { Question } from "../support/RecordingProxy.ts"
import { mine, startRelayBench } from "../support/RelayBench.ts"
import { endLease, relayed, reorg, sendDirectly, signedPayment } from "../support/Relayed.ts"
import { rpc } from "../support/Rpc.ts"
import { signCall } from "../support/SignedCalls.ts"
import type { Party } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { refreshed, submit, submitted } from "../support/Submissions.ts"
import { sweep } from "../support/Sweeps.ts"
import { watchOf } from "../support/WatchOf.ts"
import { workerOf } from "../support/Worker.ts"

const bench = await startRelayBench()
const recovery = workerOf(bench)

afterAll(async () => {
  await recovery.dispose()
  await bench.stop()
})

/** Beyond what the local chain calls final. */
const FINAL = 100

const DUE = "UPDATE plans SET sweep_at = 0 WHERE id = $1 AND sweep_at IS NOT NULL"

const looks = (planId: string) => lookedOften(bench.service.databaseUrl, recovery, planId)

const refuseCount = () =>
  bench.proxy.fault({
    method: "eth_getTransactionCount",
    phase: "after",
    act: { kind: "error", code: -32_602, message: "no such tag" }
  })

const WATCHED = { watched: true, pending: true }
const LET_GO = { watched: false, pending: false }
const PASSED = { status: "unknown", reason: WALLET_NONCE_PASSED } as const
const REPLACED = { status: "unknown", reason: WALLET_NONCE_CONSUMED } as const

/** The wallet's own cancellation of a transaction: nothing, to itself. */
const cancel = async (owner: Party, plan: Plan, nonce = 0) => {
  const nothing = { ...callOf(plan), to: owner.key.address, data: "0x", value: "0" } as const
  const over = { nonce, maxFeePerGas: 200_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n }
  await sendDirectly(bench, await signCall(bench, owner, nothing, over))
}

/** Admitted, and lost on its way; then the wallet gives its nonce to another transaction. */
const cancelled = async () => {
  const { owner, plan, raw, body } = await signedPayment(bench)
  bench.proxy.fault({ method: "eth_sendRawTransaction", phase: "before", act: { kind: "drop" } })
  await submitted(bench.service, owner, plan, body)
  await endLease(bench, plan.id)
  await cancel(owner, plan)
  return { owner, plan, raw, body, refresh: () => refreshed(bench.service, owner, plan) }
}

describe("a step whose nonce another transaction took", () => {
  it("is unknown, is watched until that is final, and then let go", async () => {
    const { owner, plan, body, refresh } = await cancelled()
    assert.strictEqual(stepOf(await refresh()).state, "unknown")
    assert.deepInclude(await watchOf(bench.service.databaseUrl, plan), WATCHED)
    await mine(bench, FINAL)
    assert.strictEqual(stepOf(await refresh()).state, "unknown")
    assert.deepStrictEqual(stepOf(await refresh()).semantic, PASSED)
    assert.deepInclude(await watchOf(bench.service.databaseUrl, plan), WATCHED)
    await looks(plan.id)
    assert.deepInclude(await watchOf(bench.service.databaseUrl, plan), LET_GO)
    const after = await refresh()
    assert.deepInclude(stepOf(after), { state: "unknown", semantic: REPLACED })
    assert.strictEqual(after.status, "pending")
    assert.strictEqual((await refresh()).revision, after.revision)
    const again = await assertProblem(await submit(bench.service, owner, plan, body), "NONCE_NOT_READY")
    assert.isFalse(again.retryable)
    assert.include(again.detail, "look at what the wallet sent")
  })

  it("is taken to be replaced for good by no node that does not say what is final, and no longer where the chain shows the nonce as open", async () => {
    const { plan, refresh } = await cancelled()
    await mine(bench, FINAL)
    await looks(plan.id)
    assert.deepStrictEqual(stepOf(await refresh()).semantic, REPLACED)
    refuseCount()
    assert.deepInclude(stepOf(await refresh()), { state: "unknown", semantic: REPLACED })
    await looks(plan.id)
    bench.proxy.fault({
      method: "eth_getTransactionCount",
      phase: "after",
      act: { kind: "result", result: "0x0" }
    })
    const open = await refresh()
    assert.strictEqual(stepOf(open).state, "unknown")
    assert.notProperty(stepOf(open), "semantic")
    assert.deepInclude(await watchOf(bench.service.databaseUrl, plan), WATCHED)
  })

  it("is taken for that by no first look, however often nothing could be seen before", async () => {
    const { plan, refresh } = await cancelled()
    await mine(bench, FINAL)
    const worn = "UPDATE plans SET sweep_attempts = $2, sweep_at = 0 WHERE id = $1"
    await sqlOn(bench.service.databaseUrl, worn, [plan.id, LOOKS])
    await recovery.runPromise(sweep)
    assert.deepInclude(await watchOf(bench.service.databaseUrl, plan), WATCHED)
    assert.deepStrictEqual(stepOf(await refresh()).semantic, PASSED)
  })

  it("is let go though blocks come upon a step before it, which is final", async () => {
    const { owner, plan, refresh } = await relayed(bench, { calls: 2 })
    await mine(bench, FINAL)
    assert.strictEqual(stepOf(await refresh()).state, "confirmed")
    const raw = await signCall(bench, owner, callOf(plan, 1), { nonce: 1 })
    bench.proxy.fault({ method: "eth_sendRawTransaction", phase: "before", act: { kind: "drop" } })
    await submitted(bench.service, owner, plan, { rawSignedTransaction: raw }, { step: 1 })
    await endLease(bench, plan.id)
    await cancel(owner, plan, 1)
    await mine(bench, FINAL)
    for (let look = 0; look <= LOOKS + 2; look++) {
      await mine(bench)
      await sightsPass(bench.service.databaseUrl, plan.id)
      await sqlOn(bench.service.databaseUrl, DUE, [plan.id])
      await recovery.runPromise(sweep)
    }
    assert.deepInclude(await watchOf(bench.service.databaseUrl, plan), LET_GO)
    assert.deepInclude(stepOf(await refresh(), 1), { state: "unknown", semantic: REPLACED })
  })

  it("is watched on where the node does not say what is final", async () => {
    const { plan, refresh } = await cancelled()
    await mine(bench, FINAL)
    refuseCount()
    await refresh()
    assert.deepInclude(await watchOf(bench.service.databaseUrl, plan), WATCHED)
  })

  it("stays reorganised where it was in a block before", async () => {
    const { owner, plan, refresh } = await relayedAndMined(bench)
    await mine(bench, 1)
    assert.strictEqual((await refresh()).status, "transactions_confirmed")
    await reorg(bench, 2)
    await cancel(owner, plan)
    assert.strictEqual((await refresh()).status, "reorged")
    assert.deepInclude(await watchOf(bench.service.databaseUrl, plan), WATCHED)
    await mine(bench, FINAL)
    assert.strictEqual((await refresh()).status, "reorged")
    await looks(plan.id)
    assert.deepInclude(await watchOf(bench.service.databaseUrl, plan), LET_GO)
    const after = await refresh()
    assert.strictEqual(after.status, "reorged")
    assert.deepStrictEqual(stepOf(after).semantic, REPLACED)
  })
})

/** A node that was put in the other's place: it has another block at the step's height, and knows the transaction no more. */
const forget = (plan: Plan) => {
  const { transactionHash, blockNumber } = stepOf(plan).receipt ?? assert.fail("no receipt")
  const height = `0x${BigInt(blockNumber).toString(16)}`
  const rewrite = ({ method, params: [about] }: Question, result: unknown) => {
    if (about === transactionHash && method.startsWith("eth_getTransaction")) return null
    return method === "eth_getBlockByNumber" && about === height
      ? { ...Object(result), hash: `0x${"ab".repeat(32)}` }
      : undefined
  }
  const methods = ["eth_getTransactionReceipt", "eth_getTransactionByHash", "eth_getBlockByNumber"]
  for (const method of methods)
    bench.proxy.fault({ method, times: 100, phase: "after", act: { kind: "rewrite", rewrite } })
}

describe("a step that was final and is watched no more", () => {
  const settled = async () => {
    const made = await relayedAndMined(bench)
    await mine(bench, FINAL)
    const final = await made.refresh()
    assert.strictEqual(final.status, "transactions_confirmed")
    assert.deepInclude(await watchOf(bench.service.databaseUrl, made.plan), LET_GO)
    forget(final)
    const gone = await made.refresh().finally(() => bench.proxy.clearFaults())
    assert.deepInclude(stepOf(gone), { state: "reorged", semantic: PASSED })
    assert.deepInclude(await watchOf(bench.service.databaseUrl, made.plan), WATCHED)
    return { ...made, final }
  }

  it("is taken to be replaced by no first sight, and comes back with its node", async () => {
    const { plan, refresh } = await settled()
    assert.strictEqual((await refresh()).status, "transactions_confirmed")
    assert.deepInclude(await watchOf(bench.service.databaseUrl, plan), LET_GO)
  })

  it("is let go anew once that was seen often enough, and stays so", async () => {
    const { plan, refresh, final } = await settled()
    forget(final)
    await looks(plan.id)
    assert.deepInclude(await watchOf(bench.service.databaseUrl, plan), LET_GO)
    const after = await refresh()
    assert.deepInclude(stepOf(after), { state: "reorged", semantic: REPLACED })
    assert.strictEqual((await refresh()).revision, after.revision)
    bench.proxy.clearFaults()
    assert.deepInclude(await watchOf(bench.service.databaseUrl, plan), LET_GO)
  })
})

describe("a step that waits for its block", () => {
  it("is seen to wait though the node does not say what is final", async () => {
    await rpc(bench.chain.url, "evm_setAutomine", [false])
    const { refresh } = await relayed(bench)
    refuseCount()
    const waiting = stepOf(await refresh())
    await rpc(bench.chain.url, "evm_setAutomine", [true])
    await mine(bench)
    assert.strictEqual(waiting.state, "submitted")
    assert.strictEqual((await refresh()).status, "transactions_confirmed")
  })
})

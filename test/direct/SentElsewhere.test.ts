import { afterAll, assert, describe, it } from "vitest"
import { stepOf } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { sendDirectly, signedPayment } from "../support/Relayed.ts"
import { rpc } from "../support/Rpc.ts"
import { sqlOn } from "../support/Sql.ts"
import { refreshed, submit, submitted } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

/** As if the node had come to know the transaction only after it was asked for it. */
const unseen = (times: number) =>
  bench.proxy.fault({
    method: "eth_getTransactionByHash",
    times,
    phase: "after",
    act: {
      kind: "rewrite",
      rewrite: ({ method }, result) => (method === "eth_getTransactionByHash" ? null : result)
    }
  })

describe("bytes that somebody else sent after the first look for them", () => {
  it("are monitored, and not refused for the nonce that they took", async () => {
    const { owner, plan, raw, body } = await signedPayment(bench)
    await sendDirectly(bench, raw)
    unseen(1)
    const answer = await submit(bench.service, owner, plan, body)
    assert.strictEqual(answer.status, 202)
    assert.strictEqual((await answer.json()).dispatch.status, "already-observed")
    assert.strictEqual(timesSent(bench, raw), 0)
  })

  it("are refused where the node does not know them at the second look either", async () => {
    const { owner, plan, raw, body } = await signedPayment(bench)
    await sendDirectly(bench, raw)
    unseen(2)
    await assertProblem(await submit(bench.service, owner, plan, body), "NONCE_NOT_READY")
    assert.strictEqual(timesSent(bench, raw), 0)
  })
})

describe("a transaction that the wallet sent by itself", () => {
  it("is bound from the pool on, without a broadcast, and verified once it is mined", async () => {
    const { owner, plan, raw, body } = await signedPayment(bench)
    await rpc(bench.chain.url, "evm_setAutomine", [false])
    await rpc(bench.chain.url, "eth_sendRawTransaction", [raw])
    const pending = await submitted(bench.service, owner, plan, body)
    await rpc(bench.chain.url, "evm_setAutomine", [true])
    assert.strictEqual(pending.dispatch.status, "already-observed")
    await mine(bench)
    const after = stepOf(await refreshed(bench.service, owner, plan))
    assert.strictEqual(after.state, "confirmed")
    assert.strictEqual(after.semantic?.status, "verified")
    assert.strictEqual(timesSent(bench, raw), 0)
  })

  it("is bound once it is mined and its plan has expired", async () => {
    const { owner, plan, raw, body } = await signedPayment(bench)
    await sendDirectly(bench, raw)
    await mine(bench)
    await sqlOn(bench.service.databaseUrl, "UPDATE plans SET expires_at = unix_millis() WHERE id = $1", [
      plan.id
    ])
    const bound = await submitted(bench.service, owner, plan, body)
    assert.strictEqual(bound.dispatch.status, "already-observed")
    assert.strictEqual(stepOf(await refreshed(bench.service, owner, plan)).semantic?.status, "verified")
    assert.strictEqual(timesSent(bench, raw), 0)
  })
})

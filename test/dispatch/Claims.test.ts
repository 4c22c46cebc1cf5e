import { afterAll, assert, describe, it } from "vitest"
import { stepOf } from "../support/PlannedCalls.ts"
import type { ProxyFault } from "../support/RecordingProxy.ts"
import { startRelayBench, timesSent } from "../support/RelayBench.ts"
import { endLease, holdAnswer, signedPayment } from "../support/Relayed.ts"
import { freshNonce } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { shown, submit, submitted } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

const SEND = "eth_sendRawTransaction"

const sql = (text: string, values: ReadonlyArray<unknown> = []) =>
  sqlOn(bench.service.databaseUrl, text, values)

const reset: ProxyFault["act"] = { kind: "reset" }

describe("a repeat of what was sent and is on the chain", () => {
  it("takes nothing away from what is known of the dispatch", async () => {
    const { owner, plan, raw, body } = await signedPayment(bench)
    const { dispatch } = await submitted(bench.service, owner, plan, body)
    await endLease(bench, plan.id)
    const again = await submitted(bench.service, owner, plan, body)
    assert.deepStrictEqual(again.dispatch, dispatch)
    assert.strictEqual(timesSent(bench, raw), 1)
  })
})

describe("a claim after another's uncertain one", () => {
  it("needs a preflight of its own since then", async () => {
    const { owner, plan, raw, body } = await signedPayment(bench)
    const estimate = holdAnswer(bench, "eth_estimateGas")
    const slow = submit(bench.service, owner, plan, body)
    await estimate.reached
    bench.proxy.fault({ method: SEND, phase: "before", act: reset })
    const first = await submitted(bench.service, owner, plan, body)
    assert.strictEqual(first.dispatch.status, "unknown")
    estimate.letGo()
    const second = await slow
    assert.strictEqual(second.status, 202)
    assert.strictEqual((await second.json()).dispatch.count, 1)
    assert.strictEqual(timesSent(bench, raw), 1)
    const third = await submitted(bench.service, owner, plan, body)
    assert.strictEqual(third.dispatch.count, 2)
    assert.strictEqual(timesSent(bench, raw), 2)
  })
})

describe("a process that died after its claim", () => {
  it("leaves a claim that is in flight, then unknown, then open for the same bytes", async () => {
    const { owner, plan, raw, body } = await signedPayment(bench)
    bench.proxy.fault({ method: SEND, phase: "before", act: { kind: "drop" } })
    const idempotencyKey = freshNonce()
    await submitted(bench.service, owner, plan, body, { idempotencyKey })
    await sql("UPDATE dispatch_leases SET outcome = NULL, broadcast_at = NULL WHERE plan = $1", [plan.id])
    const living = await submitted(bench.service, owner, plan, body)
    assert.strictEqual(living.dispatch.status, "in-flight")
    assert.strictEqual(stepOf(living.plan).state, "reserved")
    await endLease(bench, plan.id)
    const dead = await submitted(bench.service, owner, plan, body, { idempotencyKey })
    assert.strictEqual(dead.dispatch.status, "unknown")
    assert.strictEqual(stepOf(dead.plan).state, "unknown")
    assert.strictEqual(timesSent(bench, raw), 1)
    const again = await submitted(bench.service, owner, plan, body)
    assert.strictEqual(again.dispatch.status, "submitted")
    assert.strictEqual(again.dispatch.count, 2)
    assert.strictEqual(timesSent(bench, raw), 2)
  })

  it("cannot settle a claim that another has taken since", async () => {
    const { owner, plan, raw, body } = await signedPayment(bench)
    const broadcast = holdAnswer(bench, SEND)
    const slow = submit(bench.service, owner, plan, body)
    await broadcast.reached
    assert.strictEqual(timesSent(bench, raw), 1)
    await endLease(bench, plan.id)
    const taken = await submitted(bench.service, owner, plan, body)
    assert.strictEqual(taken.dispatch.status, "already-observed")
    broadcast.letGo()
    assert.strictEqual((await slow).status, 202)
    const { dispatch } = stepOf(await shown(bench.service, owner, plan))
    assert.strictEqual(dispatch?.status, "already-observed")
    assert.strictEqual(dispatch?.count, 1)
  })
})

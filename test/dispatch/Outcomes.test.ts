import { afterAll, assert, describe, it } from "vitest"
import { callOf, stepOf } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import type { ProxyFault } from "../support/RecordingProxy.ts"
import { mine, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { endLease, holdAnswer, signedPayment } from "../support/Relayed.ts"
import { rpc } from "../support/Rpc.ts"
import { chainSettings } from "../support/Sandbox.ts"
import { startService } from "../support/Service.ts"
import { hashOf, signCall } from "../support/SignedCalls.ts"
import { sqlOn } from "../support/Sql.ts"
import { refreshed, shown, submit, submitted } from "../support/Submissions.ts"
import { startTcpProxy, type TcpProxy } from "../support/TcpProxy.ts"
import { until } from "../support/Until.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

const SEND = "eth_sendRawTransaction"
const LOOK = "eth_getTransactionByHash"

const sql = (text: string, values: ReadonlyArray<unknown> = []) =>
  sqlOn(bench.service.databaseUrl, text, values)

const reset: ProxyFault["act"] = { kind: "reset" }
const forgotten: ProxyFault["act"] = { kind: "result", result: null }

describe("a lost answer", () => {
  it("is no loss when the node knows the hash", async () => {
    const { owner, plan, raw, body } = await signedPayment(bench)
    bench.proxy.fault({ method: SEND, phase: "after", act: reset })
    const { dispatch } = await submitted(bench.service, owner, plan, body)
    assert.strictEqual(dispatch.status, "submitted")
    assert.strictEqual(timesSent(bench, raw), 1)
  })

  it("is unknown while the node cannot be asked, and reconciled by the hash alone", async () => {
    const { owner, plan, raw, body } = await signedPayment(bench)
    bench.proxy.fault({ method: LOOK, phase: "after", act: { kind: "delay", millis: 0 } })
    bench.proxy.fault({ method: SEND, phase: "after", act: reset })
    bench.proxy.fault({ method: LOOK, phase: "before", act: reset })
    const { dispatch, plan: told } = await submitted(bench.service, owner, plan, body)
    assert.strictEqual(dispatch.status, "unknown")
    assert.deepStrictEqual(Object.keys(dispatch.error ?? {}), ["code", "message"])
    assert.strictEqual(dispatch.error?.code, "BROADCAST_UNCERTAIN")
    assert.notProperty(dispatch, "broadcastAt")
    assert.strictEqual(stepOf(told).state, "unknown")
    assert.strictEqual(told.status, "pending")
    await mine(bench)
    const found = await refreshed(bench.service, owner, plan)
    assert.strictEqual(found.status, "transactions_confirmed")
    assert.strictEqual(timesSent(bench, raw), 1)
  })

  it("is monitored, not sent again, when the same bytes come under a new key", async () => {
    const { owner, plan, raw, body } = await signedPayment(bench)
    bench.proxy.fault({ method: LOOK, phase: "after", act: { kind: "delay", millis: 0 } })
    bench.proxy.fault({ method: SEND, phase: "after", act: reset })
    bench.proxy.fault({ method: LOOK, phase: "before", act: reset })
    await submitted(bench.service, owner, plan, body)
    const { dispatch } = await submitted(bench.service, owner, plan, body)
    assert.strictEqual(dispatch.status, "already-observed")
    assert.strictEqual(timesSent(bench, raw), 1)
  })
})

describe("a node that did not take the bytes", () => {
  const refusals: ReadonlyArray<[string, ProxyFault["act"]]> = [
    ["says nothing", reset],
    ["calls the nonce too low", { kind: "error", code: -32000, message: "nonce too low" }],
    ["calls them known already", { kind: "error", code: -32000, message: "already known" }],
    ["answers another hash", { kind: "result", result: `0x${"ab".repeat(32)}` }],
    ["answers with a page", { kind: "html" }],
    ["answers 500", { kind: "status", status: 500 }]
  ]

  it.each(refusals)(
    "leaves the outcome unknown when it %s, and takes the same bytes later",
    async (_, act) => {
      const { owner, plan, raw, body } = await signedPayment(bench)
      const phase = act.kind === "reset" || act.kind === "status" || act.kind === "html" ? "before" : "after"
      const forwarded = phase === "after"
      bench.proxy.fault({ method: SEND, phase, act })
      if (forwarded) {
        bench.proxy.fault({ method: LOOK, phase: "after", act: { kind: "delay", millis: 0 } })
        bench.proxy.fault({ method: LOOK, phase: "after", act: forgotten })
      }
      const { dispatch } = await submitted(bench.service, owner, plan, body)
      assert.strictEqual(dispatch.status, "unknown")
      assert.strictEqual(dispatch.count, 1)
      const again = await submitted(bench.service, owner, plan, body)
      assert.strictEqual(again.dispatch.count, forwarded ? 1 : 2)
      assert.strictEqual(again.dispatch.status, forwarded ? "already-observed" : "submitted")
      assert.strictEqual(timesSent(bench, raw), forwarded ? 1 : 2)
      assert.isNotNull(await rpc(bench.chain.url, LOOK, [hashOf(raw)]))
    }
  )

  it("is believed when an error hides that it knows the hash", async () => {
    const { owner, plan, body } = await signedPayment(bench)
    bench.proxy.fault({
      method: SEND,
      phase: "after",
      act: { kind: "error", code: -32000, message: "already known" }
    })
    const { dispatch } = await submitted(bench.service, owner, plan, body)
    assert.strictEqual(dispatch.status, "submitted")
  })
})

describe("a node that accepts and drops", () => {
  it("gets the identical bytes again once the lease is over, and no others", async () => {
    const { owner, plan, raw, body } = await signedPayment(bench)
    bench.proxy.fault({ method: SEND, phase: "before", act: { kind: "drop" } })
    const first = await submitted(bench.service, owner, plan, body)
    assert.strictEqual(first.dispatch.status, "submitted")
    const early = await submitted(bench.service, owner, plan, body)
    assert.strictEqual(early.dispatch.count, 1)
    assert.strictEqual(timesSent(bench, raw), 1)
    const waiting = stepOf(await refreshed(bench.service, owner, plan))
    assert.notProperty(waiting, "receipt")
    await endLease(bench, plan.id)
    const dearer = await signCall(bench, owner, callOf(plan), { maxPriorityFeePerGas: 3_000_000_000n })
    await assertProblem(
      await submit(bench.service, owner, plan, { rawSignedTransaction: dearer }),
      "STEP_ALREADY_BOUND"
    )
    const second = await submitted(bench.service, owner, plan, body)
    assert.strictEqual(second.dispatch.count, 2)
    assert.strictEqual(second.dispatch.status, "submitted")
    assert.strictEqual(timesSent(bench, raw), 2)
    assert.strictEqual(timesSent(bench, dearer), 0)
    await mine(bench)
    assert.strictEqual((await refreshed(bench.service, owner, plan)).status, "transactions_confirmed")
  })

  it("gets nothing again while the pending nonce has moved on", async () => {
    const { owner, plan, raw, body } = await signedPayment(bench)
    bench.proxy.fault({ method: SEND, phase: "before", act: { kind: "drop" } })
    await submitted(bench.service, owner, plan, body)
    await endLease(bench, plan.id)
    await rpc(bench.chain.url, "anvil_setNonce", [owner.key.address, "0x1"])
    await assertProblem(await submit(bench.service, owner, plan, body), "NONCE_NOT_READY")
    assert.strictEqual(timesSent(bench, raw), 1)
  })
})

describe("a broadcast that hangs", () => {
  it("is answered after ten seconds as in flight and settled later", async () => {
    const { owner, plan, raw, body } = await signedPayment(bench)
    bench.proxy.fault({ method: SEND, phase: "before", act: { kind: "hang" } })
    const begun = performance.now()
    const { dispatch } = await submitted(bench.service, owner, plan, body)
    const millis = performance.now() - begun
    assert.include(["in-flight", "unknown"], dispatch.status)
    assert.isAtLeast(millis, 9_500)
    assert.isBelow(millis, 20_000)
    await until(
      () => shown(bench.service, owner, plan),
      seen => stepOf(seen).dispatch?.status === "unknown"
    )
    assert.strictEqual(timesSent(bench, raw), 1)
  })
})

/** A replica that reaches its database over a wire, and the answer to what it is about to send as the wire is spoilt. */
const spoiltWhileSending = async (spoil: (link: TcpProxy) => void) => {
  const { owner, plan, raw, body } = await signedPayment(bench)
  const link = await startTcpProxy(Number(new URL(bench.service.databaseUrl).port))
  const url = new URL(bench.service.databaseUrl)
  url.host = `127.0.0.1:${link.port}`
  const settings = { chains: chainSettings(bench.proxy.url), audience: bench.service.audience }
  const service = await startService({ databaseUrl: url.href, overlays: [bench.overlay], settings })
  const broadcast = holdAnswer(bench, SEND)
  const answer = submit(service, owner, plan, body)
  await broadcast.reached
  spoil(link)
  broadcast.letGo()
  const problem = await assertProblem(await answer, "BROADCAST_PERSISTENCE_UNCERTAIN")
  assert.deepStrictEqual(problem.context, { transactionHash: hashOf(raw) })
  assert.isTrue(problem.retryable)
  link.cut()
  await service.stop()
  await link.close()
  return { owner, plan, raw, body }
}

describe("a database that leaves between claim and outcome", () => {
  it("is told as uncertain with the hash, and the same bytes may come again", async () => {
    const { owner, plan, raw, body } = await spoiltWhileSending(link => link.cut())
    await endLease(bench, plan.id)
    const { dispatch } = await submitted(bench.service, owner, plan, body)
    assert.strictEqual(dispatch.status, "already-observed")
    assert.strictEqual(timesSent(bench, raw), 1)
  })

  it("is told so too where it falls silent, and the answer waits no longer", async () => {
    const { raw } = await spoiltWhileSending(link => link.hush())
    assert.strictEqual(timesSent(bench, raw), 1)
  }, 90_000)
})

describe("answers", () => {
  it("carry neither raw bytes nor lease tokens", async () => {
    const { owner, plan, raw, body } = await signedPayment(bench)
    const told = JSON.stringify(await submitted(bench.service, owner, plan, body))
    const [lease] = await sql("SELECT token FROM dispatch_leases WHERE plan = $1", [plan.id])
    const texts = [
      told,
      JSON.stringify(await shown(bench.service, owner, plan)),
      JSON.stringify(await refreshed(bench.service, owner, plan))
    ]
    for (const text of texts) {
      assert.notInclude(text, raw.slice(2))
      assert.notInclude(text, raw.slice(-128))
      assert.notInclude(text, String(lease?.token))
      assert.notInclude(text, 'token"')
    }
  })
})

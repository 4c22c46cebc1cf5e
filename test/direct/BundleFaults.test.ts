import { afterAll, assert, describe, it } from "vitest"
import { type BundleAnswer, bundled, bundleOf, courseOf, type Item, postBundle } from "../support/Bundles.ts"
import { mine, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { endLease, holdAnswer, rawOf } from "../support/Relayed.ts"
import { chainSettings } from "../support/Sandbox.ts"
import { type RunningService, startService } from "../support/Service.ts"
import { hashOf } from "../support/SignedCalls.ts"
import { freshNonce, signedInit } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { refreshed, shown } from "../support/Submissions.ts"
import { startTcpProxy, type TcpProxy } from "../support/TcpProxy.ts"
import { until } from "../support/Until.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

const SEND = "eth_sendRawTransaction"
const ESTIMATE = "eth_estimateGas"

const sql = (text: string, values: ReadonlyArray<unknown> = []) =>
  sqlOn(bench.service.databaseUrl, text, values)

const sentOnce = (items: ReadonlyArray<Item>) =>
  assert.deepStrictEqual(
    items.map(({ rawSignedTransaction }) => timesSent(bench, rawSignedTransaction)),
    items.map(() => 1)
  )

interface Cuttable {
  readonly service: RunningService
  readonly link: TcpProxy
  readonly stop: () => Promise<void>
}

/** A replica that reaches its node or its database over a wire that can be cut. */
const behindWire = async (what: "node" | "database"): Promise<Cuttable> => {
  const { service, proxy, overlay } = bench
  const through = new URL(what === "node" ? proxy.url : service.databaseUrl)
  const link = await startTcpProxy(Number(through.port))
  through.host = `127.0.0.1:${link.port}`
  const settings = {
    chains: chainSettings(what === "node" ? through.href : proxy.url),
    audience: service.audience,
    log: { level: "error", format: "json" } as const
  }
  const databaseUrl = what === "database" ? through.href : service.databaseUrl
  const replica = await startService({ databaseUrl, overlays: [overlay], settings })
  const stop = async () => {
    await replica.stop()
    await link.close()
  }
  return { service: replica, link, stop }
}

const asked = (method: string, since: number) =>
  until(
    async () => bench.proxy.records.slice(since).some(record => record.method === method),
    seen => seen
  )

describe("a node that goes away in the middle", () => {
  it("stops the bundle with what is known, and the same request goes on when it is back", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], [], []])
    const { service, link, stop } = await behindWire("node")
    const idempotencyKey = freshNonce()
    const broadcast = holdAnswer(bench, SEND)
    const answering = bundled(service, owner, plan, items, { idempotencyKey })
    await broadcast.reached
    link.cut()
    broadcast.letGo()
    const broken = await answering
    assert.deepStrictEqual(courseOf(broken), {
      complete: false,
      done: [0],
      stoppedAt: 1,
      code: "RPC_UNAVAILABLE",
      remaining: [1, 2]
    })
    assert.strictEqual(broken.results[0]?.dispatch.status, "unknown")
    link.restore()
    const back = await until(
      () => bundled(service, owner, plan, items, { idempotencyKey }),
      ({ error }) => error?.code !== "RPC_UNAVAILABLE"
    )
    assert.deepStrictEqual(courseOf(back), { complete: true, done: [0, 1, 2] })
    sentOnce(items)
    await stop()
  })
})

describe("a database that goes away in the middle", () => {
  it("stops the bundle with the plan as it was last seen, and the same request goes on", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], []])
    const { service, link, stop } = await behindWire("database")
    const idempotencyKey = freshNonce()
    const second = holdAnswer(bench, ESTIMATE, 2)
    const answering = bundled(service, owner, plan, items, { idempotencyKey })
    await second.reached
    link.cut()
    second.letGo()
    const broken = await answering
    assert.deepStrictEqual(courseOf(broken), {
      complete: false,
      done: [0],
      stoppedAt: 1,
      code: "DATABASE_UNAVAILABLE",
      remaining: [1]
    })
    assert.strictEqual(broken.plan.steps[0]?.transaction?.hash, hashOf(rawOf(items, 0)))
    await stop()
    const resumed = await bundled(bench.service, owner, plan, items, { idempotencyKey })
    assert.deepStrictEqual(courseOf(resumed), { complete: true, done: [0, 1] })
    sentOnce(items)
  })
})

describe("a node that loses an item after it was submitted", () => {
  it("stops the same request there, however often it comes, and another key sends the same bytes", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], []])
    const [both, alone] = [freshNonce(), freshNonce()]
    const asked = (idempotencyKey: string, of = items) =>
      bundled(bench.service, owner, plan, of, { idempotencyKey })
    bench.proxy.fault({ method: SEND, phase: "before", act: { kind: "drop" } })
    const begun = await asked(both)
    assert.deepInclude(courseOf(begun), { done: [0], stoppedAt: 1, code: "NONCE_NOT_READY" })
    await endLease(bench, plan.id)
    assert.strictEqual((await refreshed(bench.service, owner, plan)).steps[0]?.state, "unknown")
    for (let repeats = 0; repeats < 2; repeats++) {
      const again = await asked(both)
      const remaining = [0, 1]
      assert.deepInclude(courseOf(again), { done: [], stoppedAt: 0, code: "STEP_STATE_UNCERTAIN", remaining })
      assert.include(
        again.error?.detail ?? "",
        "the same bytes can be sent again under a new idempotency key"
      )
    }
    assert.strictEqual(timesSent(bench, rawOf(items, 0)), 1)
    assert.deepStrictEqual(courseOf(await asked(alone)), { complete: true, done: [0, 1] })
    assert.strictEqual(timesSent(bench, rawOf(items, 0)), 2)
  })

  it("is not said to have carried out a bundle of that item alone", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[]])
    const idempotencyKey = freshNonce()
    bench.proxy.fault({ method: SEND, phase: "before", act: { kind: "drop" } })
    assert.isTrue((await bundled(bench.service, owner, plan, items, { idempotencyKey })).complete)
    await endLease(bench, plan.id)
    await refreshed(bench.service, owner, plan)
    assert.isFalse((await bundled(bench.service, owner, plan, items, { idempotencyKey })).complete)
  })
})

describe("a client that leaves in the middle", () => {
  it("stops nothing, and finds the whole outcome under its key", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], []])
    const idempotencyKey = freshNonce()
    const target = `/api/v1/plans/${plan.id}/submissions`
    const body = { submissions: items }
    const init = await signedInit(bench.service, owner, "POST", target, { body, idempotencyKey })
    const leaving = new AbortController()
    const broadcast = holdAnswer(bench, SEND)
    const left = fetch(`${bench.service.url}${target}`, { ...init, signal: leaving.signal }).catch(String)
    await broadcast.reached
    leaving.abort()
    assert.include(String(await left), "Abort")
    assert.strictEqual((await shown(bench.service, owner, plan)).steps[0]?.state, "reserved")
    broadcast.letGo()
    await until(
      async () => timesSent(bench, rawOf(items, 1)),
      times => times === 1
    )
    const found = await bundled(bench.service, owner, plan, items, { idempotencyKey })
    assert.deepStrictEqual(courseOf(found), { complete: true, done: [0, 1] })
    sentOnce(items)
  })
})

describe("a process that ends in the middle", () => {
  it("is followed by another that goes on under the same key", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], [0], []])
    const idempotencyKey = freshNonce()
    const first = await bench.replica()
    const begun = await bundled(first, owner, plan, items, { idempotencyKey })
    assert.strictEqual(begun.stoppedAt, 1)
    await first.stop()
    await mine(bench)
    const second = await bench.replica()
    const resumed = await bundled(second, owner, plan, items, { idempotencyKey })
    assert.deepStrictEqual(courseOf(resumed), { complete: true, done: [0, 1, 2] })
    sentOnce(items)
    await second.stop()
  })

  it("finishes what it has begun before it stops", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], []])
    const replica = await bench.replica()
    bench.proxy.fault({ method: SEND, phase: "after", act: { kind: "delay", millis: 400 } })
    const answering = bundled(replica, owner, plan, items)
    await until(
      async () => timesSent(bench, rawOf(items, 0)),
      times => times === 1
    )
    const stopping = replica.stop()
    const answer: BundleAnswer = await answering
    assert.deepStrictEqual(courseOf(answer), { complete: true, done: [0, 1] })
    await stopping
    sentOnce(items)
  })

  it("after a claim leaves an item that is unknown under this key, and open for the same bytes under another", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], []])
    const idempotencyKey = freshNonce()
    bench.proxy.fault({ method: SEND, phase: "before", act: { kind: "drop" } })
    await bundled(bench.service, owner, plan, items.slice(0, 1))
    await sql(
      "UPDATE dispatch_leases SET outcome = NULL, broadcast_at = NULL, expires_at = unix_millis() WHERE plan = $1",
      [plan.id]
    )
    await asked(SEND, 0)
    const again = await bundled(bench.service, owner, plan, items, { idempotencyKey })
    assert.deepStrictEqual(courseOf(again), { complete: true, done: [0, 1] })
    assert.strictEqual(again.results[0]?.dispatch.count, 2)
    assert.strictEqual(timesSent(bench, rawOf(items, 0)), 2)
    const repeat = await postBundle(bench.service, owner, plan, items, { idempotencyKey })
    assert.strictEqual(repeat.headers.get("idempotent-replayed"), "true")
  })
})

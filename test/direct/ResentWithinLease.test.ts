/** A resend that sends nothing never says that it did, and a receipt whose block has gone is never shown as canonical. */
import { afterAll, assert, describe, it } from "vitest"
import type { Dispatch } from "../../src/plans/Plan.ts"
import { bundled, bundleOf, courseOf } from "../support/Bundles.ts"
import { mined, relayedAndMined } from "../support/Mined.ts"
import { stepOf } from "../support/PlannedCalls.ts"
import { mine, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { endLease, reorg, signedPayment } from "../support/Relayed.ts"
import { rpc } from "../support/Rpc.ts"
import { shown, submitted } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

const LEASE_MS = 30_000

const assertWaits = ({ status, retryAfterMs, count }: Dispatch) => {
  assert.strictEqual(status, "in-flight")
  assert.strictEqual(count, 1)
  assert.isAtLeast(retryAfterMs ?? 0, 1)
  assert.isAtMost(retryAfterMs ?? 0, LEASE_MS)
}

const dropped = async () => {
  const made = await signedPayment(bench)
  bench.proxy.fault({ method: "eth_sendRawTransaction", phase: "before", act: { kind: "drop" } })
  const { dispatch } = await submitted(bench.service, made.owner, made.plan, made.body)
  assert.strictEqual(dispatch.status, "submitted")
  assert.notProperty(dispatch, "retryAfterMs")
  return made
}

describe("a resend within the lease", () => {
  it("of a step whose transaction the node lost says in flight and when to come again, then sends", async () => {
    const { owner, plan, raw, body } = await dropped()
    const early = await submitted(bench.service, owner, plan, body)
    assertWaits(early.dispatch)
    assert.deepStrictEqual(stepOf(early.plan).dispatch, early.dispatch)
    assert.strictEqual(stepOf(early.plan).state, "unknown")
    assert.strictEqual(timesSent(bench, raw), 1)
    await endLease(bench, plan.id)
    const again = await submitted(bench.service, owner, plan, body)
    assert.strictEqual(again.dispatch.status, "submitted")
    assert.strictEqual(again.dispatch.count, 2)
    assert.strictEqual(stepOf(again.plan).state, "submitted")
    assert.strictEqual(timesSent(bench, raw), 2)
  })

  it("of a reorganised step says so too, and the claim after it sends and is told as sent", async () => {
    const { owner, plan, raw, refresh } = await relayedAndMined(bench)
    await mine(bench, 1)
    await refresh()
    await reorg(bench, 2)
    const lost = stepOf(await refresh())
    assert.strictEqual(lost.state, "reorged")
    assert.isFalse(lost.receipt?.canonical)
    const body = { rawSignedTransaction: raw }
    const early = await submitted(bench.service, owner, plan, body)
    assertWaits(early.dispatch)
    assert.strictEqual(stepOf(early.plan).state, "reorged")
    assertWaits(stepOf(await shown(bench.service, owner, plan)).dispatch ?? early.dispatch)
    assert.strictEqual(timesSent(bench, raw), 1)
    await endLease(bench, plan.id)
    const again = await submitted(bench.service, owner, plan, body)
    assert.strictEqual(again.dispatch.status, "submitted")
    assert.strictEqual(again.dispatch.count, 2)
    assert.isFalse(stepOf(again.plan).receipt?.canonical)
    assert.strictEqual(timesSent(bench, raw), 2)
    await mined(bench, raw)
    await mine(bench, 1)
    assert.strictEqual((await refresh()).status, "transactions_confirmed")
  })

  it("of a step that the node holds says what was done", async () => {
    await rpc(bench.chain.url, "evm_setAutomine", [false])
    const { owner, plan, raw, body } = await signedPayment(bench)
    const first = await submitted(bench.service, owner, plan, body)
    const early = await submitted(bench.service, owner, plan, body)
    await rpc(bench.chain.url, "evm_setAutomine", [true])
    await mine(bench)
    assert.deepStrictEqual(early.dispatch, first.dispatch)
    assert.strictEqual(timesSent(bench, raw), 1)
  })

  it("of a step that its chain brought back says what was done", async () => {
    const { owner, plan, raw, refresh } = await relayedAndMined(bench)
    await refresh()
    await reorg(bench, 1)
    await refresh()
    await rpc(bench.chain.url, "eth_sendRawTransaction", [raw])
    await mined(bench, raw)
    const { dispatch, plan: told } = await submitted(bench.service, owner, plan, {
      rawSignedTransaction: raw
    })
    assert.strictEqual(dispatch.status, "submitted")
    assert.isTrue(stepOf(told).receipt?.canonical)
    assert.strictEqual(timesSent(bench, raw), 1)
  })

  it("in a bundle stops it at that item, of which it says the same", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], []])
    bench.proxy.fault({ method: "eth_sendRawTransaction", phase: "before", act: { kind: "drop" } })
    await bundled(bench.service, owner, plan, items.slice(0, 1))
    const again = await bundled(bench.service, owner, plan, items)
    assert.deepStrictEqual(courseOf(again), {
      complete: false,
      done: [],
      stoppedAt: 0,
      code: "STEP_STATE_UNCERTAIN",
      remaining: [0, 1]
    })
    assert.match(again.error?.detail ?? "", /sent again in \d+ seconds/)
    const { dispatch } = stepOf(again.plan)
    assert.isDefined(dispatch)
    if (dispatch !== undefined) assertWaits(dispatch)
    assert.strictEqual(timesSent(bench, items[0]?.rawSignedTransaction ?? ""), 1)
    await endLease(bench, plan.id)
    const last = await bundled(bench.service, owner, plan, items)
    assert.deepStrictEqual(courseOf(last), { complete: true, done: [0, 1] })
    assert.strictEqual(timesSent(bench, items[0]?.rawSignedTransaction ?? ""), 2)
  })

  it("of a step that no node can be asked about says no more than that it waits", async () => {
    await rpc(bench.chain.url, "evm_setAutomine", [false])
    const { owner, plan, raw, body } = await signedPayment(bench)
    await submitted(bench.service, owner, plan, body)
    for (let calls = 0; calls < 8; calls++)
      bench.proxy.fault({ method: "eth_getTransactionByHash", phase: "before", act: { kind: "reset" } })
    const { dispatch } = await submitted(bench.service, owner, plan, body)
    bench.proxy.clearFaults()
    await rpc(bench.chain.url, "evm_setAutomine", [true])
    await mine(bench)
    assertWaits(dispatch)
    assert.strictEqual(timesSent(bench, raw), 1)
  })
})

describe("a bundle within the lease", () => {
  it("of a step that no node can be asked about does not say that the node lost it", async () => {
    await rpc(bench.chain.url, "evm_setAutomine", [false])
    const { owner, plan, items } = await bundleOf(bench, [[], []])
    await bundled(bench.service, owner, plan, items.slice(0, 1))
    for (let calls = 0; calls < 8; calls++)
      bench.proxy.fault({ method: "eth_getTransactionByHash", phase: "before", act: { kind: "reset" } })
    const again = await bundled(bench.service, owner, plan, items)
    bench.proxy.clearFaults()
    await rpc(bench.chain.url, "evm_setAutomine", [true])
    await mine(bench)
    assert.strictEqual(courseOf(again).code, "STEP_STATE_UNCERTAIN")
    assert.match(
      again.error?.detail ?? "",
      /cannot be asked; the same bytes can be sent again in \d+ seconds/
    )
    assert.strictEqual(timesSent(bench, items[0]?.rawSignedTransaction ?? ""), 1)
  })
})

describe("a head below the receipt", () => {
  it("is a reorganisation: nothing of it is canonical any more, and the same bytes bring it back", async () => {
    const { owner, plan, raw, refresh } = await relayedAndMined(bench)
    await mine(bench, 1)
    assert.strictEqual((await refresh()).status, "transactions_confirmed")
    await rpc(bench.chain.url, "anvil_rollback", [2])
    const lost = await refresh()
    assert.strictEqual(lost.status, "reorged")
    assert.strictEqual(stepOf(lost).state, "reorged")
    assert.isFalse(stepOf(lost).receipt?.canonical)
    assert.notProperty(stepOf(lost), "semantic")
    await endLease(bench, plan.id)
    const { dispatch } = await submitted(bench.service, owner, plan, { rawSignedTransaction: raw })
    assert.strictEqual(dispatch.count, 2)
    await mined(bench, raw)
    await mine(bench, 1)
    assert.strictEqual((await refresh()).status, "transactions_confirmed")
  })

  it("takes nothing back of what is final: such a node is behind", async () => {
    const { refresh } = await relayedAndMined(bench)
    await mine(bench, 100)
    const final = stepOf(await refresh())
    assert.strictEqual(final.receipt?.finality, "finalized")
    await rpc(bench.chain.url, "anvil_rollback", [101])
    const after = stepOf(await refresh())
    assert.strictEqual(after.state, "confirmed")
    assert.isTrue(after.receipt?.canonical)
  })
})

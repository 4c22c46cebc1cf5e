import { assert, describe, it } from "vitest"
import { FORWARDER, TERMINAL } from "./support/ContractIds.ts"
import { payNative } from "./support/PaymentScenarios.ts"
import { ACCOUNT, callTo, type Emission, judged, logOf, logsOf, OTHER, otherLog } from "./support/Receipts.ts"

const pay = payNative.call

describe("a forwarded call", () => {
  const executed = (over: Readonly<Record<string, unknown>> = {}): Emission => ({
    contractId: FORWARDER,
    event: "ExecutedForwardRequest",
    fields: { signer: ACCOUNT, nonce: "4", success: true, ...over }
  })

  const carried = (...extra: ReadonlyArray<Emission>) =>
    judged(pay, logsOf([...payNative.emissions, ...extra]), { forwarded: { nonce: "4" } })

  it("is verified where the forwarder executed it too", () => {
    assert.strictEqual(carried(executed()).status, "verified")
    assert.strictEqual(carried(executed(), executed({ nonce: "5", success: false })).status, "verified")
  })

  it("failed where the forwarder's transaction succeeded without it", () => {
    assert.deepStrictEqual(carried(executed({ success: false })), {
      status: "failed",
      verifier: "forwarder",
      reason: "the forwarder says that the forwarded call did not succeed"
    })
  })

  it.each<[string, ReadonlyArray<Emission>]>([
    ["no execution", []],
    ["another signer", [executed({ signer: OTHER })]],
    ["another nonce", [executed({ nonce: "5" })]],
    ["two executions", [executed(), executed()]]
  ])("is unknown by %s", (_, extra) => {
    const { status, verifier } = carried(...extra)
    assert.deepStrictEqual([status, verifier], ["unknown", "forwarder"])
  })

  it("is unknown by another contract's word", () => {
    const logs = [...logsOf(payNative.emissions), { ...logOf(executed(), 1), address: otherLog(0).address }]
    assert.strictEqual(judged(pay, logs, { forwarded: { nonce: "4" } }).status, "unknown")
  })

  it("needs the execution even where no predicate is installed", () => {
    const call = callTo(TERMINAL, "processHeldFeesOf(uint256,address,uint256)", ["2", OTHER, "1"])
    const forwarded = { nonce: "4" }
    assert.strictEqual(judged(call, logsOf([executed()]), { forwarded }).status, "unmodeled")
    assert.strictEqual(judged(call, [], { forwarded }).status, "unknown")
    assert.strictEqual(judged(call, logsOf([executed({ success: false })]), { forwarded }).status, "failed")
  })

  it("still needs the call's own event", () => {
    assert.strictEqual(judged(pay, logsOf([executed()]), { forwarded: { nonce: "4" } }).status, "unknown")
  })
})

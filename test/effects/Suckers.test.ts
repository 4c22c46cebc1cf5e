import { assert, describe, it } from "vitest"
import type { Call } from "../../src/plans/Plan.ts"
import { judged, logsOf } from "./support/Receipts.ts"
import { claimEach, claimFailed, claimNone, claimOne, syncAccounting } from "./support/SuckerScenarios.ts"

const SUCKERS = "@bananapus/suckers-v6:src"

const ofContract = (call: Call, name: string): Call => ({
  ...call,
  decoded: { ...call.decoded, contractId: `${SUCKERS}/${name}.sol:${name}` }
})

describe("several bridge claims", () => {
  it("are unknown where one of them failed, also where it says that it was executed too", () => {
    const whole = [...claimEach.emissions, claimFailed("8")]
    for (const emissions of [whole, whole.toSpliced(1, 1)]) {
      const { status, reason } = judged(claimEach.call, logsOf(emissions))
      assert.deepStrictEqual([status, reason], ["unknown", "a claim failed"])
    }
  })

  it("are verified where a claim of another leaf failed", () => {
    const { status } = judged(claimEach.call, logsOf([...claimEach.emissions, claimFailed("9")]))
    assert.strictEqual(status, "verified")
  })

  it("are unknown where the wallet claimed instead of the sucker itself", () => {
    const [first, second] = claimEach.emissions
    const direct = {
      ...(second ?? assert.fail("no event")),
      fields: { ...second?.fields, caller: claimOne.emissions[0]?.fields.caller }
    }
    assert.strictEqual(judged(claimEach.call, logsOf([first ?? direct, direct])).status, "unknown")
  })

  it("are unknown where the call claims nothing", () => {
    assert.strictEqual(judged(claimNone, []).status, "unknown")
  })
})

describe("suckers of every transport", () => {
  it.each(["JBBaseSucker", "JBArbitrumSucker", "JBCCIPSucker", "JBSucker"])("%s are judged alike", name => {
    for (const { call, emissions, verifier } of [claimOne, claimEach, syncAccounting]) {
      const { status, verifier: by } = judged(ofContract(call, name), logsOf(emissions))
      assert.deepStrictEqual([status, by], ["verified", verifier])
    }
  })
})

import { assert, describe, it } from "vitest"
import { cashOut, cashOutSwap, quoted } from "./support/CashOutScenarios.ts"
import { TERMINAL } from "./support/ContractIds.ts"
import { callTo, deployment, type Emission, type Fields, judged, logsOf, OTHER } from "./support/Receipts.ts"

describe("a cash-out by a swap", () => {
  const [, swap] = cashOutSwap.emissions
  const hook = swap?.contractId ?? ""
  const [cashing] = cashOutSwap.emissions
  const failed: Emission = {
    contractId: hook,
    event: "SellSwapReverted",
    fields: { projectId: "2", holder: OTHER, amount: "1", caller: OTHER }
  }

  it("is in doubt when the sale failed, even where none was asked for", () => {
    for (const { call, emissions } of [cashOutSwap, cashOut])
      assert.deepStrictEqual(judged(call, logsOf([...emissions, failed])), {
        status: "unknown",
        verifier: "cash_out",
        reason: "the hook's sale failed"
      })
  })

  it("does not care for another project's failed sale", () => {
    const foreign = { ...failed, fields: { ...failed.fields, projectId: "3" } }
    assert.strictEqual(judged(cashOut.call, logsOf([...cashOut.emissions, foreign])).status, "verified")
  })

  const withMetadata = (metadata: string, reclaimAmount = "0") => {
    const [holder, projectId, count, token, , beneficiary] = cashOutSwap.call.decoded.args
    const call = callTo(TERMINAL, cashOutSwap.call.decoded.function, [
      holder,
      projectId,
      count,
      token,
      "0",
      beneficiary,
      metadata
    ])
    const emission = cashing ?? assert.fail("no event")
    return judged(call, logsOf([{ ...emission, fields: { ...emission.fields, metadata, reclaimAmount } }]))
  }

  it("needs no swap where the metadata says to skip it, or means another hook", () => {
    const { address } = deployment(hook)
    assert.strictEqual(withMetadata(quoted(address, 80n, true)).status, "verified")
    assert.strictEqual(withMetadata(quoted(OTHER, 80n, false)).status, "verified")
    assert.strictEqual(withMetadata(quoted(address, 80n, false)).status, "unknown")
  })

  it("needs no swap where the treasury gave the minimum that the metadata asks of the hook", () => {
    const asked = quoted(deployment(hook).address, 80n, false)
    assert.strictEqual(withMetadata(asked, "80").status, "verified")
    assert.strictEqual(withMetadata(asked, "79").status, "unknown")
    assert.strictEqual(withMetadata(quoted(deployment(hook).address, 0n, false), "0").status, "unknown")
  })

  it("is in doubt where the metadata's entry is cut off or no entry at all", () => {
    const { address } = deployment(hook)
    assert.strictEqual(withMetadata(quoted(address, 80n, false).slice(0, -64)).status, "unknown")
    assert.strictEqual(withMetadata(`0x${"00".repeat(64)}`).status, "verified")
  })

  const also = (over: Fields, event = "CashOutTokens"): Emission => {
    const emission = cashOutSwap.emissions.find(each => each.event === event) ?? assert.fail("no event")
    return { ...emission, fields: { ...emission.fields, ...over } }
  }

  it("is in doubt beside another cash-out of the project, whose tokens may be what was sold", () => {
    for (const other of [{ caller: OTHER }, { holder: OTHER, cashOutCount: "600" }])
      assert.deepInclude(judged(cashOutSwap.call, logsOf([...cashOutSwap.emissions, also(other)])), {
        status: "unknown",
        reason: "another cash-out of the project may be what was sold"
      })
    const foreign = logsOf([...cashOutSwap.emissions, also({ projectId: "3" })])
    assert.strictEqual(judged(cashOutSwap.call, foreign).status, "verified")
  })

  it("is not proved by what the terminal did not have sold, nor by more than was cashed out", () => {
    const selling = (over: Fields) =>
      judged(cashOutSwap.call, logsOf([also({}), also(over, "CashOutSwap")])).status
    assert.strictEqual(selling({ cashOutCount: "450" }), "verified")
    for (const other of [{ caller: OTHER }, { cashOutCount: "501" }, { cashOutCount: "0" }])
      assert.strictEqual(selling(other), "unknown")
  })

  it("from the treasury is verified beside another one that was sold", () => {
    const metadata = quoted(deployment(hook).address, 80n, false)
    const others = [also({ holder: OTHER, caller: OTHER }), also({ amountReceived: "79" }, "CashOutSwap")]
    const logs = logsOf([also({ metadata, reclaimAmount: "80" }), ...others])
    assert.strictEqual(judged(cashOutSwap.call, logs).status, "verified")
  })
})

describe("a cash-out of a contract that cashes out more on its own", () => {
  const [burn = assert.fail("no event")] = cashOut.emissions
  const burning = (...counts: ReadonlyArray<string>) =>
    judged(
      cashOut.call,
      logsOf([
        ...counts.map(tokenCount => ({ ...burn, fields: { ...burn.fields, tokenCount } })),
        ...cashOut.emissions.filter(each => each !== burn)
      ])
    )

  it("is verified by its own burn, wherever that stands among the others", () => {
    for (const counts of [
      ["500", "7"],
      ["7", "500"],
      ["500", "500"]
    ]) {
      const { status, events = [] } = burning(...counts)
      const burns = events.filter(each => Object(each).event === "BurnTokens")
      assert.deepStrictEqual([status, ...burns], ["verified", { event: "BurnTokens", tokenCount: "500" }])
    }
  })

  it("is in doubt where none of the burns is its own", () => {
    assert.deepInclude(burning("7", "8"), {
      status: "unknown",
      reason: "the BurnTokens event has another tokenCount"
    })
  })
})

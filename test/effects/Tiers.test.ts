import { assert, describe, it } from "vitest"
import type { Call } from "../../src/plans/Plan.ts"
import { TERMINAL, TIERS_HOOK } from "./support/ContractIds.ts"
import { payForTiers, tiersAsked } from "./support/PaymentScenarios.ts"
import {
  ACCOUNT,
  abiOf,
  BENEFICIARY,
  callTo,
  deployment,
  HOLDER,
  judged,
  logsOf,
  NATIVE,
  OTHER
} from "./support/Receipts.ts"
import type { Evented } from "./support/Scenario.ts"

const { call, emissions } = payForTiers
const PAY = "pay(uint256,address,uint256,address,uint256,string,bytes)"

const paying = (metadata: string): Call =>
  callTo(TERMINAL, PAY, ["2", NATIVE, "7", BENEFICIARY, "0", "thänks", metadata], { value: "1000" })

const paidWith = (metadata: string) =>
  logsOf(
    emissions.map(emission =>
      emission.event === "Pay" ? { ...emission, fields: { ...emission.fields, metadata } } : emission
    )
  )

const statusOf = (metadata: string) => {
  const { status, reason } = judged(paying(metadata), paidWith(metadata))
  return [status, reason]
}

describe("a payment for tiers", () => {
  it("is unknown where the plan keeps no proved hook, or another one", () => {
    const routes = [null, "0x12", undefined].map(shop => ({ routeEvidence: { shop } }))
    for (const summary of [undefined, null, {}, { hook: "0x12" }, { hook: null }, ...routes])
      assert.deepInclude(judged(call, logsOf(emissions), { summary }), {
        status: "unknown",
        reason: "the plan keeps no proved 721 hook"
      })
    const { status, reason } = judged(call, logsOf(emissions), { summary: { hook: OTHER } })
    assert.deepStrictEqual([status, reason], ["unknown", "0 tokens were minted instead of 3"])
  })

  it("is proved by the hook of its route too, where the payment was not prepared for tiers alone", () => {
    const by = (shop: string) =>
      judged(call, logsOf(emissions), { summary: { routeEvidence: { shop } } }).status
    assert.deepStrictEqual([by(deployment(TIERS_HOOK).address), by(OTHER)], ["verified", "unknown"])
  })

  it("takes exactly the tiers that its metadata asks for, in any order", () => {
    assert.deepStrictEqual(statusOf(tiersAsked([9n, 5n, 5n])), ["verified", undefined])
    for (const [asked, expected] of [
      [[5n, 9n], "unknown"],
      [[5n, 9n, 5n, 5n], "unknown"],
      [[5n, 9n, 9n], "unknown"],
      [[5n, 5n, 6n], "unknown"]
    ] as const)
      assert.strictEqual(statusOf(tiersAsked(asked))[0], expected, asked.join())
  })

  it("needs no tokens where it asks for none", () => {
    const [payment] = emissions.filter(({ event }) => event === "Pay")
    for (const metadata of ["0x", "0xab", tiersAsked([])]) {
      const fields = { ...payment?.fields, metadata }
      const logs = logsOf(payment === undefined ? [] : [{ ...payment, fields }])
      assert.strictEqual(judged(paying(metadata), logs, { summary: {} }).status, "verified", metadata)
    }
  })

  it("is unknown where what it asks for cannot be read", () => {
    const whole = tiersAsked([5n, 9n, 5n])
    const longer = `${whole.slice(0, 2 + 64 * 4)}${"f".repeat(64)}${whole.slice(2 + 64 * 5)}`
    for (const metadata of [whole.slice(0, -64), whole.slice(0, 2 + 64 * 3), longer])
      assert.deepStrictEqual(statusOf(metadata), [
        "unknown",
        "the metadata's entry for the 721 hook cannot be read"
      ])
  })

  it("is unknown where a payout to a split of a tier failed", () => {
    assert.isDefined(abiOf(deployment(TIERS_HOOK).abiHash).find(({ name }) => name === "SplitPayoutReverted"))
    const split = {
      percent: "1",
      projectId: "0",
      beneficiary: HOLDER,
      preferAddToBalance: false,
      lockedUntil: "0",
      hook: OTHER
    }
    const fields = { projectId: "2", split, amount: "1", reason: "0x", caller: ACCOUNT }
    const failed = { contractId: TIERS_HOOK, event: "SplitPayoutReverted", fields }
    assert.strictEqual(judged(call, logsOf([...emissions, failed])).status, "unknown")
  })

  it("is unknown where one token is told twice, and where one is of another tier", () => {
    const renamed = (tokenId: string) => (emission: Evented) =>
      emission.fields.tokenId === "5000000002"
        ? { ...emission, fields: { ...emission.fields, tokenId } }
        : emission
    assert.strictEqual(judged(call, logsOf(emissions.map(renamed("5000000001")))).status, "unknown")
    assert.strictEqual(judged(call, logsOf(emissions.map(renamed("6000000001")))).status, "unknown")
  })
})

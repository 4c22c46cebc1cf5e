import { assert, describe, it } from "vitest"
import { ADJUST_TIERS } from "../../src/protocol/ShopFunctions.ts"
import { TIERS_HOOK } from "./support/ContractIds.ts"
import { callTo, judged, logOf, logsOf, OTHER } from "./support/Receipts.ts"
import type { Scenario } from "./support/Scenario.ts"
import { adjustTiers, launchShop, removeTiers } from "./support/ShopScenarios.ts"

/** The logs of a scenario with other ids of its added tiers. */
const numbered = ({ emissions }: Scenario, ids: ReadonlyArray<string>) => {
  const left = [...ids]
  return logsOf(
    emissions.map(emission =>
      emission.event === "AddTier"
        ? { ...emission, fields: { ...emission.fields, tierId: left.shift() } }
        : emission
    )
  )
}

const statusOf = (scenario: Scenario, ids: ReadonlyArray<string>) =>
  judged(scenario.call, numbered(scenario, ids)).status

describe("the tiers of a shop", () => {
  it("count from one where the shop is new", () => {
    assert.strictEqual(statusOf(launchShop, ["1", "2"]), "verified")
    assert.strictEqual(statusOf(launchShop, ["2", "3"]), "unknown")
  })

  it("are told by the hook that adds them", () => {
    for (const { call, emissions } of [launchShop, adjustTiers]) {
      const untold = emissions.filter(({ event }) => event !== "AddTier")
      assert.strictEqual(judged(call, logsOf(untold)).status, "unknown")
    }
  })

  it("count on from wherever the shop was", () => {
    assert.strictEqual(statusOf(adjustTiers, ["40", "41", "42"]), "verified")
    assert.strictEqual(statusOf(adjustTiers, ["40", "41", "43"]), "unknown")
    assert.strictEqual(statusOf(adjustTiers, ["40", "40", "41"]), "unknown")
    assert.strictEqual(statusOf(adjustTiers, ["42", "41", "40"]), "unknown")
  })

  it("are removed as often as the call names them, in whatever order", () => {
    const twice = callTo(TIERS_HOOK, ADJUST_TIERS, [[], ["3", "10", "3"]])
    const [removed] = removeTiers.emissions
    if (removed === undefined) throw new Error("no emission")
    const removing = (...ids: ReadonlyArray<string>) =>
      judged(twice, logsOf(ids.map(tierId => ({ ...removed, fields: { ...removed.fields, tierId } })))).status
    assert.strictEqual(removing("10", "3", "3"), "verified")
    assert.strictEqual(removing("3", "10", "10"), "unknown")
    assert.strictEqual(removing("3", "10"), "unknown")
  })

  it("say nothing where another contract tells of them", () => {
    const [removed] = removeTiers.emissions
    if (removed === undefined) throw new Error("no emission")
    const forged = { ...logOf(removed), address: OTHER.toLowerCase() }
    const logs = [{ ...forged, address: `0x${forged.address.slice(2)}` as const }]
    assert.strictEqual(judged(removeTiers.call, logs).status, "unknown")
  })
})

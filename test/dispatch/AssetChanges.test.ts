import { assert, describe, it } from "@effect/vitest"
import { assetChangesOf } from "../../src/dispatch/AssetChanges.ts"

const reasonOf = (code: number) => {
  const told = assetChangesOf({ _tag: "Refused", code })
  return told.status === "unknown" ? told.reason : assert.fail("known")
}

describe("asset changes that a node does not tell", () => {
  it("are said to be of a node without the method where it says so", () => {
    assert.strictEqual(reasonOf(-32_601), "the node does not serve eth_simulateV1")
  })

  it.each([-32_000, -32_005, -32_603, 429])("are not said to be by another error: %d", code => {
    assert.strictEqual(reasonOf(code), `the node answered eth_simulateV1 with error ${code}`)
  })
})

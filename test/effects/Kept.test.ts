/** What an effect is proved by is stored with its step, which must not be lost for it. */
import { Either, Option } from "effect"
import { assert, describe, it } from "vitest"
import { verifierOf } from "../../src/effects/Verify.ts"
import { predicates } from "./support/Installed.ts"
import { judged, logsOf } from "./support/Receipts.ts"
import { scenarios } from "./support/Scenarios.ts"

const [scenario = assert.fail("there is no scenario")] = scenarios
const { call, emissions, verifier } = scenario

/** As of a predicate that shows a text which a contract emitted. */
const showing = (text: string) => {
  const shown = { event: "Named", name: text }
  const changed = predicates.map(each => ({
    ...each,
    asks: () => Option.none(),
    judge: () => Either.right([shown])
  }))
  return judged(call, logsOf(emissions), {}, Either.getOrThrow(verifierOf(changed)))
}

describe("the events that prove an effect", () => {
  it("are kept as they are", () => {
    const events = [{ event: "Named", name: "a name" }]
    assert.deepStrictEqual(showing("a name"), { status: "verified", verifier, events })
  })

  it.each([
    ["long ones", "a".repeat(9_000), "the events that prove the effect are larger than what is kept"],
    ["ones with a NUL", "a\0b", "the events that prove the effect hold a NUL, which is not kept"]
  ])("are kept by their hash: %s", (_, text, reason) => {
    const { status, events = [], reason: told } = showing(text)
    assert.deepStrictEqual([status, told], ["unknown", reason])
    assert.hasAllKeys(events[0], ["count", "sha256"])
    assert.notInclude(JSON.stringify(events), "\\u0000")
  })
})

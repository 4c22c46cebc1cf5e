import { assert, describe, it } from "vitest"
import { type Family, unexplained } from "./Family.ts"
import type { Difference } from "./play/Player.ts"
import { recordingOf } from "./Recording.ts"

const recording = recordingOf("pay-native")
const scenario = recording.scenario
const family: Family = { scenarios: [scenario], leftOut: [], otherwise: [] }
const STEP = 5

const difference = (over: Partial<Difference>): Difference => ({
  step: STEP,
  aspect: "result",
  at: "",
  recorded: "0x01",
  actual: "0x02",
  ...over
})

const named = (at = "") => ({
  ...family,
  otherwise: [{ scenario, steps: [STEP], aspect: "result" as const, at, reason: "so" }]
})

describe("the list of differences", () => {
  it("excuses what it names, and nothing else", () => {
    assert.lengthOf(unexplained(family, recording, [difference({})]), 1)
    assert.lengthOf(unexplained(named(), recording, [difference({})]), 0)
    assert.lengthOf(unexplained(named(), recording, [difference({}), difference({ step: 11 })]), 1)
    assert.lengthOf(unexplained(named(), recording, [difference({}), difference({ aspect: "status" })]), 1)
    assert.lengthOf(unexplained(named(), recording, [difference({}), difference({ aspect: "balance" })]), 1)
    assert.lengthOf(unexplained(named("memo"), recording, [difference({ at: "amount" })]), 2)
  })

  it("excuses no number", () => {
    assert.lengthOf(unexplained(named(), recording, [difference({ recorded: "7", actual: "8" })]), 2)
  })

  it("may not name what is as recorded", () => {
    assert.lengthOf(unexplained(named(), recording, []), 1)
    const leftOut = { ...family, leftOut: [{ scenario, steps: [STEP], reason: "so" }] }
    assert.lengthOf(unexplained(leftOut, recording, []), 1)
    assert.lengthOf(unexplained(leftOut, recording, [difference({ aspect: "status" })]), 0)
  })
})

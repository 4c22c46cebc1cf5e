import { assert, describe, it } from "vitest"
import { isPackedAs } from "../../src/protocol/RulesetMetadata.ts"
import { judgedRecording, rawLogs } from "./Judged.ts"
import { type Call, recordingOf, scenarios } from "./Recording.ts"

const successes = scenarios.flatMap(scenario =>
  recordingOf(scenario).transactions.flatMap(call =>
    call.revert === undefined && call.contract === "JBController" ? [{ scenario, call }] : []
  )
)

const called = (name: string) => successes.filter(({ call }) => call.function.startsWith(`${name}(`))

const FEE_PROJECT = "1"

const isOfFeeProject = ({ args }: Call["logs"][number]): boolean => args.projectId === FEE_PROJECT

/** What is judged where the log at a place is missing. */
const without = (call: Call, place: number) =>
  judgedRecording(
    call,
    rawLogs(call).filter((_, index) => index !== place)
  ).status

describe("the receipts of recorded launches", () => {
  it("prove them, whatever the creation fee's payment to project 1 says beside them", () => {
    assert.isAbove(called("launchProjectFor").length, 40)
    for (const { call } of called("launchProjectFor")) {
      assert.isTrue(call.logs.some(isOfFeeProject))
      assert.strictEqual(judgedRecording(call).status, "verified", call.note)
      for (const [place, log] of call.logs.entries())
        if (isOfFeeProject(log)) assert.strictEqual(without(call, place), "verified")
    }
  })

  it("prove nothing without the project's creation or the launch", () => {
    const proofs = ["Create(uint256,address,address)", "LaunchProject(uint256,uint256,string,string,address)"]
    for (const { call } of called("launchProjectFor"))
      for (const [place, { event }] of call.logs.entries())
        if (proofs.includes(event)) assert.notStrictEqual(without(call, place), "verified", event)
  })
})

describe("the receipts of recorded changes of rulesets", () => {
  it("prove them, and nothing without one of the rulesets or the change", () => {
    const proofs = /^(RulesetQueued|QueueRulesets)\(/
    assert.isAbove(called("queueRulesetsOf").length, 8)
    for (const { call } of called("queueRulesetsOf")) {
      assert.strictEqual(judgedRecording(call).status, "verified", call.note)
      for (const [place, { event }] of call.logs.entries())
        if (proofs.test(event)) assert.notStrictEqual(without(call, place), "verified", event)
    }
  })

  it("hold metadata in one word with the version 1, and the user's part of it in 14 bits", () => {
    let cut = 0
    for (const { call } of called("launchProjectFor")) {
      const words = call.logs.flatMap(({ args, event }) =>
        event.startsWith("RulesetQueued(") ? [args.metadata] : []
      )
      const [, , configurations = []] = call.args
      for (const [index, word] of words.entries()) {
        const { metadata } = Object(Object(configurations)[index])
        if (BigInt(metadata.metadata) >= 1n << 14n) cut++
        assert.isTrue(isPackedAs(metadata)(word))
        assert.isFalse(isPackedAs(metadata)(String(BigInt(String(word)) ^ 1n)), "another version")
      }
    }
    assert.strictEqual(cut, 1)
  })
})

import { assert, describe, it } from "vitest"
import {
  changeWarnings,
  configurationWarnings
} from "../../../src/operations/configuration/ChangeWarnings.ts"
import { ReadLimitExceeded } from "../../../src/projects/refusals.ts"
import { known, unknown } from "../../../src/values/Observed.ts"
import { rulesetConfiguration } from "../support/SandboxInputs.ts"

const HOOK = "0x00000000000000000000000000000000000000bb"
const MOST_CONFIGURATIONS = 16
const MOST_WARNINGS = 64

/** Of which everything is to be said. */
const striking = {
  ...rulesetConfiguration,
  weight: "0",
  approvalHook: HOOK,
  metadata: { ...rulesetConfiguration.metadata, useDataHookForPay: true, dataHook: HOOK },
  splitGroups: [
    {
      groupId: "1",
      splits: [
        {
          percent: 1,
          projectId: "0",
          beneficiary: HOOK,
          preferAddToBalance: false,
          lockedUntil: "0",
          hook: HOOK
        }
      ]
    }
  ]
} as const

const lost = {
  percent: "1",
  projectId: "0",
  beneficiary: HOOK,
  preferAddToBalance: false,
  lockedUntil: "1800000000",
  hook: HOOK
} as const

const group = (removed: ReadonlyArray<typeof lost>, usesFallbackSplits = false) =>
  known([{ groupId: "1", removedOrWeakenedLockedSplits: known(removed), usesFallbackSplits }])

const unread = unknown(new ReadLimitExceeded())

describe("the warnings of a ruleset change", () => {
  it("say each thing once with all configurations that it is true of, so that none is left out", () => {
    const configurations = Array.from({ length: MOST_CONFIGURATIONS }, () => striking)
    const warnings = changeWarnings(
      configurations,
      configurations.map(() => group([lost], true))
    )
    const all = Array.from({ length: MOST_CONFIGURATIONS }, (_, index) => index).join(", ")
    for (const what of [
      "no payouts are possible",
      "payments issue no tokens",
      "a data hook decides on payments or cash outs",
      "an approval hook judges the rulesets after it",
      "split hooks receive funds or tokens",
      "locked splits of the current ruleset are removed or weakened",
      "fallback splits are in effect for a group"
    ])
      assert.include(warnings, `Configurations ${all}: ${what}.`)
    assert.isAtMost(warnings.length, MOST_WARNINGS)
  })

  it("name the one configuration that something is true of", () => {
    assert.deepStrictEqual(configurationWarnings([rulesetConfiguration, { ...striking, weight: "1" }]), [
      "Configurations 0, 1: no payouts are possible.",
      "Configuration 1: the weight is inherited from the ruleset before, cut as often as its cycles passed.",
      "Configuration 1: a data hook decides on payments or cash outs.",
      "Configuration 1: an approval hook judges the rulesets after it.",
      "Configuration 1: split hooks receive funds or tokens."
    ])
  })

  it("say of a launch that its first weight of 1 is one, and of every other one that it is inherited", () => {
    const inheriting = { ...rulesetConfiguration, weight: "1" } as const
    const inherited = "the weight is inherited from the ruleset before, cut as often as its cycles passed."
    const ofWeight = (warnings: ReadonlyArray<string>) => warnings.filter(each => each.includes("weight"))
    assert.deepStrictEqual(ofWeight(configurationWarnings([inheriting, inheriting, inheriting])), [
      "Configuration 0: the weight is literally 1, so that payments issue next to nothing.",
      `Configurations 1, 2: ${inherited}`
    ])
    assert.deepStrictEqual(ofWeight(changeWarnings([inheriting, inheriting], [])), [
      `Configurations 0, 1: ${inherited}`
    ])
  })

  it("do not keep silent about locked splits that could not be read", () => {
    const said = "Configuration 0: whether locked splits of the current ruleset are kept could not be read."
    const ofGroup = known([
      { groupId: "1", removedOrWeakenedLockedSplits: unread, usesFallbackSplits: false }
    ])
    assert.include(changeWarnings([rulesetConfiguration], [unread]), said)
    assert.include(changeWarnings([rulesetConfiguration], [ofGroup]), said)
    assert.notInclude(changeWarnings([rulesetConfiguration], [group([lost])]), said)
  })
})

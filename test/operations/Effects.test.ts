import { Either } from "effect"
import { assert, describe, it } from "vitest"
import { predicatesOf } from "../../src/effects/PlanEffects.ts"
import { verifierOf } from "../../src/effects/Verify.ts"
import { planRuns } from "../../src/operations/generated/PlanRuns.ts"
import { approveEffect } from "../../src/operations/shared/effects/Approve.ts"
import { predicates } from "../effects/support/Installed.ts"

describe("the effects of plan operations", () => {
  it.each(Object.entries(planRuns))("%s declares some, each by the call that it is of", (_, { effects }) => {
    assert.isNotEmpty(Object.keys(effects))
    for (const [call, effect] of Object.entries(effects)) {
      assert.isTrue(
        "judge" in effect ? Reflect.apply(effect.judges, effect, [call]) : effect.unmodeled !== ""
      )
      if ("judge" in effect) assert.isFalse(Reflect.apply(effect.judges, effect, [`${call} `]))
    }
  })

  it.each(Object.values(planRuns))("of $id are installed", ({ effects }) => {
    assert.includeMembers([...predicates], [...predicatesOf(effects)])
  })

  it("are refused where two predicates are for one call", () => {
    const twice = verifierOf([approveEffect, { ...approveEffect, name: "approve_again" }])
    assert.isTrue(Either.isLeft(twice))
    assert.include(Either.isLeft(twice) ? twice.left.message : "", "two predicates for")
  })
})

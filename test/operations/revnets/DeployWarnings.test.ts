import { Schema } from "effect"
import { assert, describe, it } from "vitest"
import { planRegister } from "../../../src/operations/generated/PlanRegister.ts"
import { deployWarnings } from "../../../src/operations/revnets/prepare_revnet_deploy/DeployWarnings.ts"
import { deploying, HOLDER, SALT, stage, sucker } from "../support/RevnetPlans.ts"

const MOST_STAGES = 16
const MOST_WARNINGS = 64

const warningsOf = (input: object) =>
  deployWarnings(Schema.decodeUnknownSync(planRegister.prepare_revnet_deploy.input)(input), 0n)

const warningsFor = (stages: ReadonlyArray<object>) =>
  warningsOf(deploying({ config: { stageConfigurations: stages } }))

const alarming = (index: number) => {
  const [split] = stage().splits
  return stage({
    startsAtOrAfter: String(index + 1),
    initialIssuance: index % 2 === 0 ? "0" : "1",
    splits: [{ ...split, percent: 1, hook: HOLDER }]
  })
}

describe("the warnings of a revnet's deployment", () => {
  it("name every stage that they are about, however many there are", () => {
    const warnings = warningsFor(Array.from({ length: MOST_STAGES }, (_, index) => alarming(index)))
    assert.isAtMost(warnings.length, MOST_WARNINGS)
    const indices = Array.from({ length: MOST_STAGES }, (_, index) => index)
    const about = (which: ReadonlyArray<number>, words: string) =>
      assert.isTrue(
        warnings.some(each => each.startsWith(`Stages ${which.join(", ")}: ${words}`)),
        words
      )
    about(indices.slice(1), "the start")
    about(
      indices.filter(index => index % 2 === 0),
      "payments issue no tokens"
    )
    about(
      indices.filter(index => index % 2 === 1),
      "an issuance of 1"
    )
    about(indices, "what splits leave")
    about(indices, "split hooks")
  })

  it("tell what the hash covers that makes revnets of several chains one, the scope of cash-outs included", () => {
    const input = deploying({
      suckerConfig: { salt: SALT, deployerConfigurations: [sucker(HOLDER)] },
      config: { stageConfigurations: [stage({ extraMetadata: 4 })] }
    })
    const covers = warningsOf(input).find(each => each.startsWith("The configuration's hash covers"))
    assert.include(covers ?? "", "whether cash-outs are scoped to local balances")
  })

  it("name one stage in the singular, and none without a reason", () => {
    const [first, second] = [stage({ startsAtOrAfter: "1", issuanceCutFrequency: 0 }), stage()]
    const ofStages = (stages: ReadonlyArray<object>) =>
      warningsFor(stages).filter(each => each.startsWith("Stage"))
    assert.deepStrictEqual(ofStages([first, second]), [])
    assert.deepStrictEqual(ofStages([first, { ...second, initialIssuance: "0" }]), [
      "Stage 1: payments issue no tokens."
    ])
  })
})

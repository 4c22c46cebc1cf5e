import { Schema } from "effect"
import { Interface } from "ethers"
import fc from "fast-check"
import { describe, it } from "vitest"
import { launchCalls } from "../../../src/operations/configuration/prepare_launch/LaunchCall.ts"
import { queueCalls } from "../../../src/operations/configuration/QueueCall.ts"
import { planRegister } from "../../../src/operations/generated/PlanRegister.ts"
import {
  acceptedBy,
  freeRulesets,
  RULESETS_TYPE,
  someRulesets,
  someTerminals,
  TERMINALS_TYPE
} from "../../support/Configurations.ts"
import { agreesWithEthers, anAddress, aProject, aUint } from "../../support/Encodings.ts"

const CONTROLLER = "0x3fcec3572e84b624477bcff4e2cf1f7deab648f1"

const controller = new Interface([
  `function queueRulesetsOf(uint256 projectId, ${RULESETS_TYPE} rulesetConfigurations, string memo) returns (uint256)`,
  `function launchProjectFor(address owner, string projectUri, ${RULESETS_TYPE} rulesetConfigurations, ${TERMINALS_TYPE} terminalConfigurations, string memo) payable returns (uint256)`
])

const aMemo = fc.string({ unit: "grapheme", maxLength: 60 })

const queueing = fc.record({
  project: aProject,
  account: anAddress,
  rulesetConfigurations: freeRulesets,
  memo: aMemo
})

const launching = someTerminals.chain(terminalConfigurations =>
  fc.record({
    chainId: fc.constant(1),
    account: anAddress,
    owner: anAddress,
    composition: fc.constant("core" as const),
    projectUri: aMemo,
    rulesetConfigurations: someRulesets(acceptedBy(terminalConfigurations)),
    terminalConfigurations: fc.constant(terminalConfigurations),
    memo: aMemo
  })
)

describe("the calls of plans that configure rulesets", () => {
  it("queue exactly what is given", () => {
    agreesWithEthers({
      id: "prepare_ruleset_change",
      input: queueing,
      facts: fc.constant(undefined),
      calls: queueCalls,
      independent: ({ project, rulesetConfigurations, memo }) => [
        {
          to: CONTROLLER,
          data: controller.encodeFunctionData("queueRulesetsOf", [
            project.projectId,
            rulesetConfigurations,
            memo
          ])
        }
      ]
    })
  })

  it("launch exactly what is given, for the creation fee", () => {
    agreesWithEthers({
      id: "prepare_launch",
      input: launching,
      facts: fc.record({ creationFee: aUint(128).map(BigInt) }),
      calls: launchCalls,
      independent: (input, { creationFee }) => [
        {
          to: CONTROLLER,
          data: controller.encodeFunctionData("launchProjectFor", [
            input.owner,
            input.projectUri,
            input.rulesetConfigurations,
            input.terminalConfigurations,
            input.memo
          ]),
          value: creationFee
        }
      ]
    })
  })

  it("are compared on inputs that the operations take", () => {
    const takesQueueing = Schema.is(Schema.typeSchema(planRegister.prepare_ruleset_change.input))
    const takesLaunch = Schema.is(Schema.typeSchema(planRegister.prepare_launch.input))
    fc.assert(
      fc.property(queueing, input => takesQueueing(input)),
      { numRuns: 50 }
    )
    fc.assert(
      fc.property(launching, input => takesLaunch(input)),
      { numRuns: 50 }
    )
  })
})

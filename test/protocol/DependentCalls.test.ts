import { Effect } from "effect"
import { zeroAddress } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import artifact from "../../sandbox/artifacts/DependentCalls.json" with { type: "json" }
import { DEPENDENT_CALLS, type DependentCall } from "../../src/protocol/DependentCalls.ts"
import { PinnedContracts, type PinnedSnapshot } from "../../src/protocol/PinnedContracts.ts"
import { RulesetWithMetadata } from "../../src/protocol/ProjectRecords.ts"
import { Address, type Address as Addressed } from "../../src/values/Scalars.ts"
import { startPinnedSandbox } from "../projects/support/PinnedSandbox.ts"

const bench = await startPinnedSandbox()

afterAll(() => bench.stop())

const PROJECT = "2"
/** The number of the project's cycle, the first word of its ruleset. */
const CYCLE = 1n

interface Places {
  readonly directory: Addressed
  readonly controller: Addressed
}

/** What is asked of the node once `calls` were foreseen. */
const afterwards = <A, E>(
  calls: (places: Places) => ReadonlyArray<DependentCall>,
  read: (snapshot: PinnedSnapshot, places: Places) => Effect.Effect<A, E>
) =>
  bench.runtime.runPromise(
    Effect.gen(function* () {
      const snapshot = yield* (yield* PinnedContracts).snapshotOf(31337)
      const places = {
        directory: yield* snapshot.addressOf("JBDirectory"),
        controller: yield* snapshot.addressOf("JBController")
      }
      yield* snapshot.foresee(calls(places))
      bench.breaker.asked = []
      const value = yield* Effect.either(read(snapshot, places))
      return { value, asked: bench.breaker.asked.length }
    })
  )

/** The controller that the directory names, and what that says of the project's ruleset and of its first one. */
const chained = ({ directory }: Places): ReadonlyArray<DependentCall> => [
  { to: directory, signature: "controllerOf(uint256)", words: [PROJECT] },
  { to: { call: 0, index: 0 }, signature: "currentRulesetOf(uint256)", words: [PROJECT] },
  {
    to: { call: 0, index: 0 },
    signature: "getRulesetOf(uint256,uint256)",
    words: [PROJECT, { call: 1, index: 1 }]
  }
]

const rulesetOf = ({ read }: PinnedSnapshot) =>
  Effect.flatMap(read("JBController", "currentRulesetOf", [PROJECT], RulesetWithMetadata), ({ ruleset }) =>
    read("JBController", "getRulesetOf", [PROJECT, ruleset.id], RulesetWithMetadata)
  )

describe("calls that depend on one another", () => {
  it("run the program that its source compiles to", () => {
    assert.strictEqual(DEPENDENT_CALLS, artifact.bytecode)
  })

  it("travel together, and are not asked again", async () => {
    const { value, asked } = await afterwards(chained, rulesetOf)
    const { value: direct, asked: step } = await afterwards(() => [], rulesetOf)
    assert.deepStrictEqual([value, asked], [direct, 0])
    assert.strictEqual(step, 2)
  })

  it("take what a word leaves of a minuend, and nothing of a smaller one", async () => {
    const ahead =
      (minuend: bigint) =>
      (places: Places): ReadonlyArray<DependentCall> => [
        ...chained(places).slice(0, 2),
        {
          to: places.controller,
          signature: "getRulesetOf(uint256,uint256)",
          words: [
            { call: 1, index: 0, minuend },
            { call: 1, index: 1 }
          ]
        }
      ]
    const { asked } = await afterwards(ahead(CYCLE + BigInt(PROJECT)), rulesetOf)
    const { asked: step } = await afterwards(ahead(CYCLE - 1n), rulesetOf)
    assert.deepStrictEqual([asked, step], [0, 1])
  })

  it("leave what fails, and what hangs on it, to be asked by itself", async () => {
    const failing = ({ directory, controller }: Places): ReadonlyArray<DependentCall> => [
      { to: directory, signature: "controllerOf(uint256,uint256)", words: [PROJECT, "1"] },
      { to: controller, signature: "currentRulesetOf(uint256)", words: [{ call: 0, index: 0 }] },
      { to: zeroAddress, signature: "controllerOf(uint256)", words: [PROJECT] },
      { to: { call: 2, index: 0 }, signature: "currentRulesetOf(uint256)", words: [PROJECT] },
      { to: directory, signature: "controllerOf(uint256)", words: [PROJECT] },
      { to: { call: 4, index: 1 }, signature: "currentRulesetOf(uint256)", words: [PROJECT] }
    ]
    const { value, asked } = await afterwards(failing, snapshot =>
      Effect.all([snapshot.read("JBDirectory", "controllerOf", [PROJECT], Address), rulesetOf(snapshot)])
    )
    assert.strictEqual(value._tag, "Right")
    assert.strictEqual(asked, 2)
  })

  it("change nothing where the node does not run them", async () => {
    bench.breaker.breaks = read => read.includes(DEPENDENT_CALLS)
    const { value, asked } = await afterwards(chained, rulesetOf)
    bench.breaker.breaks = () => false
    assert.deepStrictEqual([value._tag, asked], ["Right", 2])
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { runModelEconomics } from "../../../src/operations/payments/model_economics/Run.ts"
import { metadata as metadataOf } from "../support/Revnets.ts"

const ETHER = 10n ** 18n
const ZERO = "0x0000000000000000000000000000000000000000"
const SOMEBODY = "0x00000000000000000000000000000000000000AA"

type Changes = Readonly<Record<string, unknown>>

const configuration = (changes: Changes = {}, metadata: Changes = {}) => ({
  mustStartAtOrAfter: "0",
  duration: 604_800,
  weight: String(1000n * ETHER),
  weightCutPercent: 100_000_000,
  approvalHook: ZERO,
  metadata: metadataOf(metadata),
  splitGroups: [],
  fundAccessLimitGroups: [],
  ...changes
})

const scenario = { label: "one", contributionInBaseCurrency: String(ETHER) }

const input = (changes: Changes = {}) => ({
  rulesetConfiguration: configuration(),
  rulesetRole: "initial",
  completedCycles: 2,
  scenarios: [scenario],
  ...changes
})

const model = (changes?: Changes) =>
  Effect.flatMap(runModelEconomics.prepare(input(changes)), answering => answering(undefined))

const refusal = (changes: Changes) => Effect.map(Effect.flip(model(changes)), ({ _tag }) => _tag)

describe("model_economics", () => {
  it.effect("cuts the weight for each completed cycle, issues and reserves", () =>
    Effect.gen(function* () {
      const answer = Object(yield* model())
      assert.deepInclude(answer, {
        kind: "mathematical-model",
        baseCurrency: 1,
        effectiveWeight: String(810n * ETHER),
        completedCycles: 2,
        payoutBudgets: []
      })
      assert.deepStrictEqual(answer.scenarios, [
        {
          ...scenario,
          payAllowedByPauseFlag: true,
          issuance: {
            totalTokenCount: String(810n * ETHER),
            beneficiaryTokenCount: String(648n * ETHER),
            pendingReservedTokenCount: String(162n * ETHER),
            decimals: 18
          },
          cashOut: null
        }
      ])
      assert.deepStrictEqual([answer.limitations.length, answer.sources.length], [6, 4])
    })
  )

  it.effect("issues nothing while payments are paused, and still cashes out", () =>
    Effect.gen(function* () {
      const cashOut = { surplusAtomic: "1000", cashOutCount: "50", totalSupply: "100" }
      const answer = Object(
        yield* model({
          rulesetConfiguration: configuration({}, { pausePay: true }),
          scenarios: [{ ...scenario, cashOut }]
        })
      )
      assert.deepInclude(answer.scenarios[0], {
        payAllowedByPauseFlag: false,
        issuance: null,
        cashOut: { ...cashOut, reclaimBeforeProtocolFeesAtomic: "375" }
      })
    })
  )

  it.effect("takes a weight of one literally at first, and as the inherited one afterwards", () =>
    Effect.gen(function* () {
      const inherits = configuration({ weight: "1" })
      const first = Object(yield* model({ rulesetConfiguration: inherits, completedCycles: 0 }))
      assert.strictEqual(first.effectiveWeight, "1")
      const successor = Object(
        yield* model({
          rulesetConfiguration: inherits,
          rulesetRole: "successor",
          inheritedWeight: "1000",
          completedCycles: 1
        })
      )
      assert.strictEqual(successor.effectiveWeight, "900")
    })
  )

  it.effect("repeats what may be paid out", () =>
    Effect.gen(function* () {
      const limits = { payoutLimits: [{ amount: "7", currency: 2 }], surplusAllowances: [] }
      const group = { terminal: SOMEBODY, token: SOMEBODY, ...limits }
      const rulesetConfiguration = configuration({ fundAccessLimitGroups: [group] })
      const { payoutBudgets } = Object(yield* model({ rulesetConfiguration }))
      assert.deepStrictEqual(payoutBudgets, [
        { terminal: SOMEBODY, token: SOMEBODY, payoutLimits: [{ amount: "7", currency: 2 }] }
      ])
    })
  )

  it.effect("refuses data hooks and what no contract could hold", () =>
    Effect.gen(function* () {
      for (const flag of ["useDataHookForPay", "useDataHookForCashOut"]) {
        const rulesetConfiguration = configuration({}, { [flag]: true, dataHook: SOMEBODY })
        assert.strictEqual(yield* refusal({ rulesetConfiguration }), "CUSTOM_HOOK_MODEL_UNSUPPORTED")
      }
      const huge = { ...scenario, contributionInBaseCurrency: String(2n ** 256n - 1n) }
      assert.strictEqual(yield* refusal({ scenarios: [scenario, huge] }), "SCENARIO_OVERFLOW")
    })
  )

  it("takes only inputs that a ruleset can have", () => {
    const bad: ReadonlyArray<Changes> = [
      { inheritedWeight: "5" },
      { rulesetRole: "successor", rulesetConfiguration: configuration({ weight: "1" }) },
      { rulesetConfiguration: configuration({ duration: 0 }) },
      { completedCycles: 10_001 },
      { scenarios: [] },
      {
        scenarios: [{ ...scenario, cashOut: { surplusAtomic: "1", cashOutCount: "2", totalSupply: "1" } }]
      },
      { unknown: true }
    ]
    for (const changes of bad) assert.isTrue(Either.isLeft(runModelEconomics.prepare(input(changes))))
  })
})

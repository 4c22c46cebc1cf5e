import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runGetRulesets } from "../../../src/operations/configuration/get_rulesets/Run.ts"
import { contracts, cuts, pinnedCatalog, REFUSED } from "../support/Contracts.ts"
import { metadata, PROJECT, ruleset, STRANGER, ZERO } from "../support/Revnets.ts"

const project = { chainId: 1, projectId: String(PROJECT) }

const page = (ids: ReadonlyArray<number>) =>
  ids.map(id => ({ ruleset: ruleset({ id, basedOnId: Math.max(0, id - 1) }), metadata: metadata() }))

const chain = (startingId = 0n, limit = 10n, rulesets = page([3, 2, 1])) =>
  Effect.map(contracts, world =>
    world
      .says({ contract: "JBDirectory", function: "controllerOf", args: [PROJECT] }, world.at("JBController"))
      .says(
        { contract: "JBController", function: "allRulesetsOf", args: [PROJECT, startingId, limit] },
        rulesets
      )
  )

const idsOf = (answer: unknown) =>
  Object(answer).page.items.map(({ ruleset }: { ruleset: { id: string } }) => ruleset.id)

describe("get_rulesets", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("answers a page, newest first, in two round trips", () =>
      Effect.gen(function* () {
        const world = yield* chain()
        const { answer, roundTrips, untold } = yield* world.answers(runGetRulesets, { project })
        assert.deepStrictEqual(untold, [])
        assert.strictEqual(roundTrips, 2)
        assert.deepStrictEqual(idsOf(answer), ["3", "2", "1"])
        assert.deepInclude(Object(answer), {
          project: { ...project, version: 6 },
          controller: world.at("JBController")
        })
        assert.deepInclude(Object(answer).page, { nextStartingId: null, order: "newest-first" })
        assert.deepInclude(Object(answer).page.items[0].metadata, { reservedPercent: "2000" })
      })
    )

    it.effect("goes on from what the last ruleset of a full page is based on", () =>
      Effect.gen(function* () {
        const full = yield* chain(5n, 2n, page([5, 4]))
        const { answer } = yield* full.answers(runGetRulesets, { project, startingId: "5", limit: 2 })
        assert.strictEqual(Object(answer).page.nextStartingId, "3")
        const last = yield* chain(2n, 2n, page([2, 1]))
        const ended = yield* last.answers(runGetRulesets, { project, startingId: "2", limit: 2 })
        assert.strictEqual(Object(ended.answer).page.nextStartingId, null)
      })
    )

    it.effect("shows nothing for a ruleset that is not there", () =>
      Effect.gen(function* () {
        const never = {
          ruleset: ruleset({ id: 9, cycleNumber: 0, start: 0n, weight: 0n }),
          metadata: metadata()
        }
        const world = yield* chain(9n, 10n, [never])
        const { answer } = yield* world.answers(runGetRulesets, { project, startingId: "9" })
        assert.deepStrictEqual(idsOf(answer), [])
        assert.isNull(Object(answer).page.nextStartingId)
      })
    )

    it.effect("refuses a project that is not there and one with another controller", () =>
      Effect.gen(function* () {
        const controllerOf = { contract: "JBDirectory", function: "controllerOf", args: [PROJECT] }
        const absent = (yield* chain()).says(controllerOf, ZERO)
        assert.strictEqual((yield* absent.answers(runGetRulesets, { project })).refused, "PROJECT_NOT_FOUND")
        const foreign = (yield* chain()).says(controllerOf, STRANGER)
        assert.strictEqual(
          (yield* foreign.answers(runGetRulesets, { project })).refused,
          "UNSUPPORTED_CONTROLLER"
        )
      })
    )

    it.effect("is refused where either of its reads fails", () =>
      Effect.gen(function* () {
        const world = yield* chain()
        assert.deepStrictEqual(yield* cuts(world, runGetRulesets, { project }), {
          "JBDirectory.controllerOf": "CALL_REVERTED",
          "JBController.allRulesetsOf": "CALL_REVERTED"
        })
        assert.deepStrictEqual(yield* cuts(world, runGetRulesets, { project }, REFUSED), {
          "JBDirectory.controllerOf": "RPC_UNAVAILABLE",
          "JBController.allRulesetsOf": "RPC_UNAVAILABLE"
        })
      })
    )
  })
})

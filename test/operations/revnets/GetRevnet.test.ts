import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runGetRevnet } from "../../../src/operations/revnets/get_revnet/Run.ts"
import { type Contracts, CUTS, cuts, pinnedCatalog } from "../support/Contracts.ts"
import {
  DEPENDENCIES,
  HASH_OF_CONFIGURATION,
  metadata,
  NOT_STARTED,
  PROJECT,
  revnet,
  revnetMetadata,
  ruleset,
  STRANGER,
  ZERO
} from "../support/Revnets.ts"

const OPERATOR = "0x00000000000000000000000000000000000000AA"
const HOOK = "0x0000000000000000000000000000000000007215"
const UNTIL = 1_700_000_001n

const input = { project: { chainId: 1, projectId: "7" }, size: 2, operator: OPERATOR }

const stages = (chain: Contracts, ids: ReadonlyArray<number>, startingId = 0n) =>
  chain.says(
    { contract: "JBController", function: "allRulesetsOf", args: [PROJECT, startingId, 2n] },
    ids.map((id, index) => ({
      ruleset: ruleset({ id, basedOnId: ids[index + 1] ?? (id === 1 ? 0 : id - 1) }),
      metadata: revnetMetadata(chain)
    }))
  )

const chain = Effect.map(revnet, world =>
  stages(world, [3, 2])
    .says({ contract: "REVOwner", function: "deployer" }, world.at("REVDeployer"))
    .says({ contract: "REVOwner", function: "cashOutDelayOf", args: [PROJECT] }, UNTIL)
    .says({ contract: "REVOwner", function: "tiered721HookOf", args: [PROJECT] }, HOOK)
    .says({ contract: "REVOwner", function: "isOperatorOf", args: [PROJECT, OPERATOR] }, true)
)

const refusedWith = Effect.fn("refusedWith")(function* (change: (world: Contracts) => Contracts) {
  return (yield* (yield* Effect.map(chain, change)).answers(runGetRevnet, input)).refused
})

describe("get_revnet", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("answers a verified revnet in two round trips", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const { answer, roundTrips, untold } = yield* world.answers(runGetRevnet, input)
        assert.deepStrictEqual([untold, roundTrips], [[], 2])
        assert.deepInclude(answer, {
          project: { chainId: 1, projectId: "7", version: 6 },
          configurationHash: HASH_OF_CONFIGURATION,
          owner: world.at("REVOwner"),
          deployer: world.at("REVDeployer"),
          loans: world.at("REVLoans"),
          currentStageId: "1690000001",
          operator: { status: "known", value: { address: OPERATOR, isOperator: true } },
          cashOutDelay: { status: "known", value: { until: String(UNTIL), active: true } },
          hook: { status: "known", value: HOOK }
        })
        const { stages, autoIssuance, evidence } = Object(answer)
        assert.deepStrictEqual(stages.value.pagination, {
          startingId: "0",
          size: 2,
          returned: 2,
          nextStartingId: "1"
        })
        assert.deepStrictEqual(
          stages.value.items.map(({ stageId }: { stageId: string }) => stageId),
          ["3", "2"]
        )
        assert.strictEqual(autoIssuance.error.code, "INVENTORY_NOT_ENUMERATED")
        assert.strictEqual(evidence.length, 1)
      })
    )

    it.effect(
      "ends where the first stage is based on none, and names no operator that was not asked for",
      () =>
        Effect.gen(function* () {
          const world = stages(yield* chain, [2, 1], 2n)
          world.says({ contract: "REVOwner", function: "tiered721HookOf", args: [PROJECT] }, ZERO)
          world.says({ contract: "REVOwner", function: "cashOutDelayOf", args: [PROJECT] }, UNTIL - 1n)
          const { answer } = yield* world.answers(runGetRevnet, {
            project: input.project,
            size: 2,
            startingId: "2"
          })
          const { stages: page, operator, hook, cashOutDelay } = Object(answer)
          assert.isNull(page.value.pagination.nextStartingId)
          assert.strictEqual(operator.error.code, "INVENTORY_NOT_ENUMERATED")
          assert.deepStrictEqual(hook, { status: "known", value: null })
          assert.isFalse(cashOutDelay.value.active)
        })
    )

    it.effect("shows no stage for a ruleset that was never queued", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const never = { ruleset: ruleset({ id: 9, cycleNumber: 0, start: 0n }), metadata: metadata() }
        world.says({ contract: "JBController", function: "allRulesetsOf", args: [PROJECT, 9n, 2n] }, [never])
        const { answer } = yield* world.answers(runGetRevnet, { ...input, startingId: "9" })
        assert.deepStrictEqual(Object(answer).stages.value, {
          items: [],
          pagination: { startingId: "9", size: 2, returned: 0, nextStartingId: null }
        })
      })
    )

    it.effect("refuses what is no revnet of the canonical contracts", () =>
      Effect.gen(function* () {
        const none = { contract: "REVDeployer", function: "hashedEncodedConfigurationOf", args: [PROJECT] }
        const owner = { contract: "JBProjects", function: "ownerOf", args: [PROJECT] }
        assert.strictEqual(
          yield* refusedWith(world => world.says(none, `0x${"00".repeat(32)}`).says(owner, STRANGER)),
          "NOT_A_REVNET"
        )
        for (const [getter] of DEPENDENCIES) {
          const call = { contract: "REVDeployer", function: getter }
          assert.strictEqual(
            yield* refusedWith(world => world.says(call, STRANGER)),
            "UNSUPPORTED_REVNET_DEPENDENCY",
            getter
          )
        }
        const configured = [
          owner,
          { contract: "JBDirectory", function: "controllerOf", args: [PROJECT] },
          { contract: "REVLoans", function: "TERMINAL" }
        ]
        for (const call of configured) {
          assert.strictEqual(
            yield* refusedWith(world => world.says(call, STRANGER)),
            "UNSUPPORTED_REVNET_CONFIGURATION",
            call.function
          )
        }
        const current = { contract: "JBController", function: "currentRulesetOf", args: [PROJECT] }
        assert.strictEqual(
          yield* refusedWith(world =>
            world.says(current, [ruleset(), { ...revnetMetadata(world), dataHook: STRANGER }])
          ),
          "UNSUPPORTED_REVNET_CONFIGURATION"
        )
        assert.strictEqual(
          yield* refusedWith(world => world.says({ contract: "REVOwner", function: "deployer" }, STRANGER)),
          "INVALID_REVNET_IDENTITY"
        )
      })
    )

    it.effect("answers a revnet that waits for its first stage", () =>
      Effect.gen(function* () {
        const current = { contract: "JBController", function: "currentRulesetOf", args: [PROJECT] }
        const world = (yield* chain).says(current, NOT_STARTED)
        const { answer } = yield* world.answers(runGetRevnet, input)
        const { currentStageId, stages } = Object(answer)
        assert.isNull(currentStageId)
        assert.strictEqual(stages.value.items.length, 2)
      })
    )

    it.effect("says what it could not read, and refuses where that is what the project is", () =>
      Effect.gen(function* () {
        const world = yield* chain
        for (const [reply, code] of CUTS) {
          const { "REVOwner.cashOutDelayOf": delay, ...others } = yield* cuts(
            world,
            runGetRevnet,
            input,
            reply
          )
          assert.deepStrictEqual(delay, [`cashOutDelay: ${code}`])
          assert.deepStrictEqual(others, {
            ...Object.fromEntries(DEPENDENCIES.map(([getter]) => [`REVDeployer.${getter}`, code])),
            "REVDeployer.hashedEncodedConfigurationOf": code,
            "JBProjects.ownerOf": code,
            "JBDirectory.controllerOf": code,
            "JBController.currentRulesetOf": code,
            "REVLoans.TERMINAL": code,
            "REVOwner.deployer": code,
            "JBController.allRulesetsOf": [`stages: ${code}`],
            "REVOwner.isOperatorOf": [`operator: ${code}`],
            "REVOwner.tiered721HookOf": [`hook: ${code}`]
          })
        }
      })
    )
  })
})

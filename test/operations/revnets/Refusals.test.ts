import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import type { PlanOperation } from "../../../src/operations/framework/DefinePlan.ts"
import { runPrepareAutoIssue } from "../../../src/operations/revnets/prepare_auto_issue/Run.ts"
import { runPrepareRevnetDeploy } from "../../../src/operations/revnets/prepare_revnet_deploy/Run.ts"
import { PinnedContracts } from "../../../src/protocol/PinnedContracts.ts"
import { type Contracts, pinnedCatalog } from "../support/Contracts.ts"
import { deploying } from "../support/RevnetPlans.ts"
import { DEPENDENCIES, metadata, PROJECT, revnet, ruleset, STRANGER } from "../support/Revnets.ts"

const STAGE = 1_690_000_001n
const COUNT = 7n

/** Of the block that every snapshot of the world has. */
const NOW = 1_700_000_000n

const issuing = {
  project: { chainId: 1, projectId: String(PROJECT) },
  account: STRANGER,
  stageId: String(STAGE),
  beneficiary: STRANGER
}

const world = Effect.map(revnet, chain =>
  chain
    .says({ contract: "REVOwner", function: "amountToAutoIssue", args: [PROJECT, STAGE, STRANGER] }, COUNT)
    .says({ contract: "JBController", function: "getRulesetOf", args: [PROJECT, STAGE] }, [
      ruleset({ id: Number(STAGE) }),
      metadata()
    ])
    .says({ contract: "JBProjects", function: "creationFee" }, 0n)
    .says({ contract: "JBPrices", function: "pricePerUnitOf", args: [0n, 61_166n, 1n, 18n] }, 1n)
    .says({ contract: "REVDeployer", function: "CASH_OUT_DELAY" }, 1n)
)

const refusalOf = Effect.fn("refusalOf")(function* (
  chain: Contracts,
  operation: PlanOperation<PinnedContracts>,
  input: unknown
) {
  const pinned = yield* Effect.fromNullable(chain.pinned)
  const { draft } = yield* operation.prepare(input)
  const result = yield* Effect.either(Effect.provideService(draft, PinnedContracts, pinned))
  return Either.isLeft(result) ? result.left._tag : undefined
})

/** The world answers no call that changes something, so a plan that nothing else refuses is refused by its simulation. */
const STANDS = "SIMULATION_REVERTED"

describe("plans for revnets", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("rest on a deployer whose getters all name canonical contracts", () =>
      Effect.gen(function* () {
        const deployment = deploying({ chainId: 1 })
        assert.strictEqual(yield* refusalOf(yield* world, runPrepareRevnetDeploy, deployment), STANDS)
        assert.strictEqual(yield* refusalOf(yield* world, runPrepareAutoIssue, issuing), STANDS)
        for (const [getter] of DEPENDENCIES) {
          const other = (yield* world).says({ contract: "REVDeployer", function: getter }, STRANGER)
          for (const [operation, input] of [
            [runPrepareRevnetDeploy, deployment],
            [runPrepareAutoIssue, issuing]
          ] as const)
            assert.strictEqual(
              yield* refusalOf(other, operation, input),
              "UNSUPPORTED_REVNET_DEPENDENCY",
              getter
            )
        }
      })
    )

    it.effect("issue for a stage only from its start on", () =>
      Effect.gen(function* () {
        const started = Effect.fnUntraced(function* (stage: Readonly<Record<string, unknown>>) {
          const chain = (yield* world).says(
            { contract: "JBController", function: "getRulesetOf", args: [PROJECT, STAGE] },
            [ruleset({ id: Number(STAGE), ...stage }), metadata()]
          )
          return yield* refusalOf(chain, runPrepareAutoIssue, issuing)
        })
        assert.strictEqual(yield* started({ start: NOW }), STANDS)
        assert.strictEqual(yield* started({ start: NOW + 1n }), "STAGE_NOT_STARTED")
        assert.strictEqual(yield* started({ id: 0, start: 0n }), "STAGE_NOT_STARTED")
      })
    )

    it.effect("issue for no stage before the first one starts, whose data hook nothing tells yet", () =>
      Effect.gen(function* () {
        const none = { cycleNumber: 0, id: 0, start: 0n }
        const waiting = (count: bigint) =>
          Effect.map(world, chain =>
            chain
              .says({ contract: "JBController", function: "currentRulesetOf", args: [PROJECT] }, [
                ruleset(none),
                metadata()
              ])
              .says(
                { contract: "REVOwner", function: "amountToAutoIssue", args: [PROJECT, STAGE, STRANGER] },
                count
              )
          )
        assert.strictEqual(
          yield* refusalOf(yield* waiting(COUNT), runPrepareAutoIssue, issuing),
          "STAGE_NOT_STARTED"
        )
        assert.strictEqual(
          yield* refusalOf(yield* waiting(0n), runPrepareAutoIssue, issuing),
          "NOTHING_TO_AUTO_ISSUE"
        )
        const foreign = (yield* waiting(COUNT)).says(
          { contract: "JBProjects", function: "ownerOf", args: [PROJECT] },
          STRANGER
        )
        assert.strictEqual(
          yield* refusalOf(foreign, runPrepareAutoIssue, issuing),
          "UNSUPPORTED_REVNET_CONFIGURATION"
        )
      })
    )

    it.effect("issue for a revnet that REVOwner owns", () =>
      Effect.gen(function* () {
        const chain = (yield* world).says(
          { contract: "JBProjects", function: "ownerOf", args: [PROJECT] },
          STRANGER
        )
        assert.strictEqual(
          yield* refusalOf(chain, runPrepareAutoIssue, issuing),
          "UNSUPPORTED_REVNET_CONFIGURATION"
        )
      })
    )
  })
})

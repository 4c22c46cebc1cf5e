import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { at, CLONE, PROJECT, STRANGER, TIERS_HOOK, type World, worldOf } from "./support/Clones.ts"
import { CONTROLLER, pinnedCatalog, resolve } from "./support/Protocol.ts"

const ZERO = `0x${"00".repeat(20)}`
const REVOWNER = "@rev-net/core-v6:src/REVOwner.sol:REVOwner"
const OMNICHAIN = "@bananapus/omnichain-deployers-v6:src/JBOmnichainDeployer.sol:JBOmnichainDeployer"
const RULESET = 3n

const RULESET_TYPES =
  "tuple(uint48,uint48,uint48,uint48,uint32,uint112,uint32,address,uint256)|tuple(uint16,uint16,uint32,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,address,uint16)"

/** Project 7 with a tiers hook that its factory proves, under a ruleset with this data hook. */
const rulesetWorld = Effect.fn("rulesetWorld")(function* (dataHook: string) {
  const world = yield* worldOf(TIERS_HOOK)
  const flags = Array.from({ length: 14 }, () => false)
  return world.answer(yield* at(CONTROLLER), "currentRulesetOf(uint256)", [PROJECT], RULESET_TYPES, [
    [1, RULESET, 0, 0, 0, 0, 0, ZERO, 0],
    [0, 0, 0, ...flags, dataHook, 0]
  ])
})

const ofHook = (query: { readonly address?: string }) => ({
  contractId: TIERS_HOOK,
  projectId: String(PROJECT),
  ...query
})

describe("associations of tiers hooks", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("find the tiers hook that the ruleset names, or the hook before it", () =>
      Effect.gen(function* () {
        const revnets = yield* at(REVOWNER)
        const omnichain = yield* at(OMNICHAIN)
        const controller = yield* at(CONTROLLER)
        const behind: ReadonlyArray<readonly [string, string, string, (world: World) => unknown]> = [
          [CLONE, controller, "JBController.currentRulesetOf(uint256)", () => undefined],
          [
            revnets,
            revnets,
            "REVOwner.tiered721HookOf(uint256)",
            world => world.answer(revnets, "tiered721HookOf(uint256)", [PROJECT], "address", CLONE)
          ],
          [
            omnichain,
            omnichain,
            "JBOmnichainDeployer.tiered721HookOf(uint256,uint256)",
            world =>
              world.answer(
                omnichain,
                "tiered721HookOf(uint256,uint256)",
                [PROJECT, RULESET],
                "address|bool",
                [CLONE, true]
              )
          ]
        ]
        for (const [dataHook, anchor, association, add] of behind) {
          const world = yield* rulesetWorld(dataHook)
          add(world)
          for (const address of [{}, { address: CLONE }]) {
            const { address: found, provenance } = yield* resolve(ofHook(address), { script: world.script() })
            assert.strictEqual(found.toLowerCase(), CLONE)
            assert.deepStrictEqual(provenance.projectContext, { projectId: "7", association, anchor })
          }
        }
      })
    )

    it.effect("tell a project without a tiers hook from one with another", () =>
      Effect.gen(function* () {
        const revnets = yield* at(REVOWNER)
        const missing = [
          yield* rulesetWorld(ZERO),
          (yield* rulesetWorld(revnets)).answer(
            revnets,
            "tiered721HookOf(uint256)",
            [PROJECT],
            "address",
            ZERO
          ),
          yield* rulesetWorld(revnets),
          yield* worldOf(TIERS_HOOK)
        ]
        for (const world of missing) {
          const refusal = yield* Effect.flip(resolve(ofHook({}), { script: world.script() }))
          assert.strictEqual(refusal._tag, "PROJECT_COMPONENT_MISSING")
        }
        const other = yield* Effect.flip(
          resolve(ofHook({ address: CLONE }), { script: (yield* rulesetWorld(STRANGER)).script() })
        )
        assert.strictEqual(other._tag, "PROJECT_ASSOCIATION_MISMATCH")
        const custom = yield* Effect.flip(
          resolve(ofHook({}), { script: (yield* rulesetWorld(STRANGER)).script() })
        )
        assert.strictEqual(custom._tag, "TARGET_UNVERIFIED")
        const foreign = (yield* rulesetWorld(CLONE)).answer(CLONE, "projectId()", [], "uint256", 8n)
        const mismatch = yield* Effect.flip(resolve(ofHook({}), { script: foreign.script() }))
        assert.strictEqual(mismatch._tag, "PROJECT_ASSOCIATION_MISMATCH")
        assert.deepInclude(mismatch.context, { actual: "8" })
      })
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { readCore } from "../../../src/operations/shared/context/Core.ts"
import { foreseeHooks, type HookUse, inspectHooks } from "../../../src/operations/shared/context/DataHooks.ts"
import { proxyCode } from "../../protocol/support/Clones.ts"
import { type Contracts, pinnedCatalog } from "../support/Contracts.ts"
import {
  CLONE,
  cloneGetter,
  currentRulesetOf,
  extraHookOf,
  paidProject,
  registeredBuyback,
  revnetBuyback,
  revnetShop,
  tieredHookOf,
  useHook,
  withClone
} from "../support/Payments.ts"
import { metadata, PROJECT, ruleset, STRANGER, ZERO } from "../support/Revnets.ts"

const inspect = (chain: Contracts, use: HookUse = "pay") =>
  Effect.gen(function* () {
    const { snapshotOf } = yield* Effect.fromNullable(chain.pinned)
    const snapshot = yield* snapshotOf(1)
    const projectId = String(PROJECT)
    const { current } = yield* readCore(snapshot, projectId)
    const foreseen = yield* foreseeHooks(snapshot, projectId)
    return yield* inspectHooks(snapshot, projectId, use, current, foreseen)
  })

const refusal = (chain: Contracts, use?: HookUse) =>
  Effect.map(Effect.either(inspect(chain, use)), result =>
    Either.isLeft(result) ? result.left._tag : undefined
  )

const kinds = (chain: Contracts, use?: HookUse) =>
  Effect.map(inspect(chain, use), ({ chain: hooks, buyback, shop }) => [
    hooks.map(({ kind }) => kind).join(" "),
    buyback,
    shop?.hook ?? null
  ])

const omnichain = (chain: Contracts, use: "useDataHookForPay" | "useDataHookForCashOut") =>
  withClone(useHook(chain, use, chain.at("JBOmnichainDeployer"))).says(
    registeredBuyback,
    chain.at("JBBuybackHook")
  )

const extra = (dataHook: string, useDataHookForPay: boolean, useDataHookForCashOut: boolean) => ({
  dataHook,
  useDataHookForPay,
  useDataHookForCashOut
})

describe("the hooks that may act", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("are none where the ruleset uses none for this", () =>
      Effect.gen(function* () {
        const chain = useHook(yield* paidProject, "useDataHookForCashOut", STRANGER)
        assert.deepStrictEqual(yield* kinds(chain), ["", null, null])
      })
    )

    it.effect("are recorded buyback hooks of any generation, itself or from the registry", () =>
      Effect.gen(function* () {
        const world = yield* paidProject
        for (const generation of ["current", "v1"]) {
          const hook = world.at("JBBuybackHook", generation)
          const direct = useHook(world, "useDataHookForPay", hook)
          assert.deepStrictEqual(yield* kinds(direct), ["buyback", hook, null])
          const registry = useHook(world, "useDataHookForPay", world.at("JBBuybackHookRegistry"))
          registry.says(registeredBuyback, hook)
          assert.deepStrictEqual(yield* kinds(registry), ["buybackRegistry buyback", hook, null])
        }
        world.says(registeredBuyback, ZERO)
        assert.deepStrictEqual(yield* kinds(world), ["buybackRegistry", null, null])
        world.says(registeredBuyback, STRANGER)
        assert.strictEqual(yield* refusal(world), "UNSUPPORTED_CONFIGURATION")
      })
    )

    it.effect("are the shop and the buyback of a revnet", () =>
      Effect.gen(function* () {
        const chain = yield* paidProject
        useHook(chain, "useDataHookForPay", chain.at("REVOwner"))
        assert.strictEqual(yield* refusal(chain), "UNSUPPORTED_CONFIGURATION")
        chain.says(revnetBuyback, chain.at("JBBuybackHookRegistry"))
        assert.deepStrictEqual(yield* kinds(chain), ["revnet buybackRegistry", null, null])
        withClone(chain).says(revnetShop, CLONE)
        assert.deepStrictEqual(yield* kinds(chain), ["revnet nft buybackRegistry", null, CLONE])
        chain.code(CLONE, "0x6001")
        assert.strictEqual(yield* refusal(chain), "UNSUPPORTED_721_HOOK")
      })
    )

    it.effect("are a clone of the 721 hook that says it is the project's", () =>
      Effect.gen(function* () {
        const chain = useHook(withClone(yield* paidProject), "useDataHookForPay", CLONE)
        assert.deepStrictEqual(yield* kinds(chain), ["nft", null, CLONE])
        for (const [name, foreign] of [
          ["STORE", STRANGER],
          ["DIRECTORY", STRANGER],
          ["projectId", PROJECT + 1n],
          ["METADATA_ID_TARGET", STRANGER]
        ] as const) {
          withClone(chain).says(cloneGetter(name), foreign)
          assert.strictEqual(yield* refusal(chain), "INVALID_721_IDENTITY", name)
        }
        for (const code of [
          "0x",
          proxyCode("solady", STRANGER),
          proxyCode("erc1167", chain.at("JB721TiersHook"))
        ]) {
          withClone(chain).code(CLONE, code)
          assert.strictEqual(yield* refusal(chain), "UNSUPPORTED_CONFIGURATION", code)
        }
      })
    )

    it.effect("are those of the omnichain deployer, and never another one inside it", () =>
      Effect.gen(function* () {
        const chain = omnichain(yield* paidProject, "useDataHookForPay")
        const registry = chain.at("JBBuybackHookRegistry")
        const buyback = chain.at("JBBuybackHook")
        chain.says(tieredHookOf, [CLONE, false]).says(extraHookOf, extra(registry, true, false))
        assert.deepStrictEqual(yield* kinds(chain), ["omnichain nft buybackRegistry buyback", buyback, CLONE])
        chain.says(extraHookOf, extra(registry, false, true))
        assert.deepStrictEqual(yield* kinds(chain), ["omnichain nft", null, CLONE])
        chain.says(tieredHookOf, [ZERO, false]).says(extraHookOf, extra(ZERO, true, true))
        assert.deepStrictEqual(yield* kinds(chain), ["omnichain", null, null])
        chain.says(extraHookOf, extra(chain.at("JBOmnichainDeployer"), true, false))
        assert.strictEqual(yield* refusal(chain), "UNSUPPORTED_CONFIGURATION")
      })
    )

    it.effect("of a cash out leave the extra hook alone where the 721 hook handles it", () =>
      Effect.gen(function* () {
        const chain = omnichain(yield* paidProject, "useDataHookForCashOut")
        chain.says(extraHookOf, extra(chain.at("JBBuybackHookRegistry"), false, true))
        chain.says(tieredHookOf, [CLONE, true])
        assert.deepStrictEqual(yield* kinds(chain, "cashOut"), ["omnichain nft", null, CLONE])
        chain.says(tieredHookOf, [CLONE, false])
        const buyback = chain.at("JBBuybackHook")
        assert.deepStrictEqual(yield* kinds(chain, "cashOut"), [
          "omnichain buybackRegistry buyback",
          buyback,
          null
        ])
      })
    )

    it.effect("are not known where a read that tells them fails", () =>
      Effect.gen(function* () {
        const chain = yield* paidProject
        chain.says(currentRulesetOf, [
          ruleset({ id: 5 }),
          metadata({ useDataHookForPay: true, dataHook: chain.at("JBOmnichainDeployer") })
        ])
        assert.strictEqual(yield* refusal(chain), "CALL_REVERTED")
      })
    )
  })
})

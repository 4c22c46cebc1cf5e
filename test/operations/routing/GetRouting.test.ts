import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runGetRouting } from "../../../src/operations/routing/get_routing/Run.ts"
import { poolIdOf } from "../../../src/protocol/PoolIds.ts"
import type { Address } from "../../../src/values/Scalars.ts"
import { type Contracts, pinnedCatalog } from "../support/Contracts.ts"
import { NATIVE, PROJECT, ruleset, STRANGER, ZERO } from "../support/Revnets.ts"
import { HOOK, withClone, withDataHook } from "../support/Shops.ts"
import {
  answered,
  buyback,
  chain,
  EMPTY,
  input,
  keyOf,
  known,
  LIQUIDITY,
  MANAGER,
  oracle,
  PRICE,
  project,
  TICK,
  USDC
} from "./support/RoutedProject.ts"

describe("get_routing", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("answers hooks, terminals, pairs and pools of given tokens, in three round trips", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const { answer, roundTrips, untold } = yield* world.answers(runGetRouting, input)
        assert.deepStrictEqual(untold, [])
        assert.strictEqual(roundTrips, 3)
        const [registry, hook] = [world.at("JBBuybackHookRegistry"), world.at("JBBuybackHook")]
        const [multi, routerRegistry] = [world.at("JBMultiTerminal"), world.at("JBRouterTerminalRegistry")]
        const router = world.at("JBRouterTerminal")
        const { hooks, router: routed, buybackPools, ...rest } = Object(answer)
        assert.deepInclude(rest, {
          controller: world.at("JBController"),
          rulesetId: "1690000001",
          hookFlags: { useDataHookForPay: true, useDataHookForCashOut: false },
          tokens: known([{ token: NATIVE, primaryTerminal: known(multi) }])
        })
        assert.deepStrictEqual(hooks, {
          pay: [
            { kind: "buybackRegistry", hook: registry },
            { kind: "buyback", hook }
          ],
          cashOut: [],
          buybackRegistry: { registry, hook: known(hook), allowed: known(true), locked: known(true) },
          shop: null
        })
        assert.deepStrictEqual(routed, {
          registry: routerRegistry,
          resolved: known({ terminal: router, kind: "router" }),
          path: known([routerRegistry, router]),
          pendingCalls: known(null),
          cohortDefault: known(router),
          locked: known(false),
          directoryTerminals: known([
            { terminal: multi, kind: "multi-terminal" },
            { terminal: routerRegistry, kind: "router-registry" }
          ]),
          terminalContexts: known([
            {
              terminal: multi,
              contexts: known({ items: [{ token: NATIVE, decimals: "18", currency: "61166" }], total: 1 })
            },
            { terminal: routerRegistry, contexts: known({ items: [], total: 0 }) }
          ]),
          pairs: [
            {
              tokenIn: NATIVE,
              tokenOut: USDC,
              pool: known({ isV4: true, v3Pool: ZERO, v4Key: keyOf(world) }),
              quote: routed.pairs[0].quote
            }
          ]
        })
        assert.strictEqual(routed.pairs[0].quote.error.code, "AMOUNT_PREVIEW_REQUIRED")
        assert.deepStrictEqual(
          buybackPools,
          known([
            {
              token: NATIVE,
              hook,
              pool: known({
                key: keyOf(world),
                poolId: poolIdOf(keyOf(world)),
                poolManager: known(MANAGER),
                state: known({
                  initialized: true,
                  sqrtPriceX96: String(PRICE),
                  tick: TICK,
                  liquidity: String(LIQUIDITY)
                }),
                oracle: {
                  hook: known(world.at("JBUniswapV4Hook")),
                  twapWindow: known("1800"),
                  coverageSeconds: known("1800"),
                  quality: "fullWindow",
                  observation: known({
                    windowSeconds: 1_800,
                    meanTick: -2,
                    harmonicMeanLiquidity: String(1n << 64n)
                  })
                }
              })
            }
          ])
        )
      })
    )

    it.effect("takes the tokens of the terminal's contexts in the same three trips", () =>
      Effect.gen(function* () {
        const { answer, roundTrips } = yield* answered(world => world, { project })
        assert.strictEqual(roundTrips, 3)
        const step = yield* answered(world => Object.assign(world, { foresees: false }), { project })
        assert.deepStrictEqual([step.answer, step.roundTrips], [answer, 4])
        assert.deepStrictEqual(answer.tokens.value[0].token, NATIVE)
        assert.strictEqual(answer.buybackPools.value.length, 1)
        assert.deepStrictEqual(answer.router.pairs, [])
      })
    )

    it.effect("observes what the oracle covers, and says of what quality that is", () =>
      Effect.gen(function* () {
        const oracleOf = (answer: { buybackPools: { value: ReadonlyArray<{ pool: unknown }> } }) =>
          Object(answer.buybackPools.value[0]?.pool).value.oracle
        const partial = yield* answered(world =>
          world
            .says(oracle(world, "observationCoverageOf"), 600)
            .tells(oracle(world, "observe", [1_800, 0]), { error: { code: 3, data: "0x" } })
            .says(oracle(world, "observe", [600, 0]), [
              [0n, 1_200n],
              [0n, 0n]
            ])
        )
        assert.deepInclude(oracleOf(partial.answer), {
          quality: "partialWindow",
          observation: known({ windowSeconds: 600, meanTick: 2, harmonicMeanLiquidity: null })
        })
        assert.strictEqual(partial.roundTrips, 3)
        const unseeded = yield* answered(world => world.says(oracle(world, "observationCoverageOf"), 0))
        assert.strictEqual(oracleOf(unseeded.answer).quality, "unseeded")
        const foreign = yield* answered(world =>
          world.says(buyback("oracleHook", world.at("JBBuybackHook")), STRANGER)
        )
        assert.deepInclude(oracleOf(foreign.answer), { quality: "coverageUnknown" })
        assert.strictEqual(
          oracleOf(foreign.answer).observation.error.code,
          "UNSUPPORTED_BUYBACK_IMPLEMENTATION"
        )
        const unset = yield* answered(world =>
          world.says(buyback("oracleHook", world.at("JBBuybackHook")), ZERO)
        )
        assert.strictEqual(oracleOf(unset.answer).hook.error.code, "ORACLE_UNSET")
        const none = yield* answered(world =>
          world.says(buyback("poolKeyOf", world.at("JBBuybackHook"), PROJECT, ZERO), EMPTY)
        )
        assert.deepStrictEqual(none.answer.buybackPools.value[0].pool, known(null))
        const windowless = yield* answered(world =>
          world.says(buyback("twapWindowOf", world.at("JBBuybackHook"), PROJECT, ZERO), 0n)
        )
        assert.strictEqual(
          oracleOf(windowless.answer).observation.error.code,
          "UNSUPPORTED_BUYBACK_IMPLEMENTATION"
        )
      })
    )

    it.effect("shows the shop among the hooks, and who made it", () =>
      Effect.gen(function* () {
        const deployer = (world: Contracts, made: Address) =>
          world.says({ contract: "JBAddressRegistry", function: "deployerOf", args: [HOOK] }, made)
        const shop = yield* answered(world =>
          deployer(withDataHook(withClone(world), HOOK), world.at("JB721TiersHookDeployer"))
        )
        assert.deepStrictEqual(shop.answer.hooks.pay, [{ kind: "nft", hook: HOOK }])
        assert.deepInclude(shop.answer.hooks.shop, { hook: HOOK, isCanonicalDeployer: known(true) })
        assert.deepStrictEqual(shop.answer.buybackPools, known([]))
        assert.strictEqual(shop.roundTrips, 3)
        const foreign = yield* answered(world => deployer(withDataHook(withClone(world), HOOK), STRANGER))
        assert.deepInclude(foreign.answer.hooks.shop, { isCanonicalDeployer: known(false) })
        const omnichain = yield* answered(world => {
          const id = BigInt(ruleset().id)
          const call = (name: string) => ({
            contract: "JBOmnichainDeployer",
            function: name,
            args: [PROJECT, id]
          })
          return deployer(withDataHook(withClone(world), world.at("JBOmnichainDeployer")), STRANGER)
            .says(call("tiered721HookOf"), [HOOK, false])
            .says(call("extraDataHookOf"), {
              dataHook: world.at("JBBuybackHookRegistry"),
              useDataHookForPay: true,
              useDataHookForCashOut: false
            })
        })
        assert.deepStrictEqual(
          omnichain.answer.hooks.pay.map(({ kind }: { kind: string }) => kind),
          ["omnichain", "nft", "buybackRegistry", "buyback"]
        )
        assert.strictEqual(omnichain.answer.hooks.shop.hook, HOOK)
        assert.strictEqual(omnichain.answer.buybackPools.value.length, 1)
      })
    )
  })
})

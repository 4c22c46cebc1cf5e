import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { AbiCoder, id } from "ethers"
import { runGetRouting } from "../../../src/operations/routing/GetRouting.ts"
import { liquiditySlotOf, stateSlotOf } from "../../../src/operations/routing/Pools.ts"
import { poolIdOf } from "../../../src/protocol/PoolIds.ts"
import type { Address, Hex } from "../../../src/values/Scalars.ts"
import { type Contracts, contracts, cuts, pinnedCatalog, REFUSED } from "../support/Contracts.ts"
import { metadata, NATIVE, PROJECT, ruleset, STRANGER, ZERO } from "../support/Revnets.ts"
import { HOOK, withClone, withDataHook } from "../support/Shops.ts"

const coder = AbiCoder.defaultAbiCoder()

const MANAGER: Address = "0x0000000000000000000000000000000000001101"
const WRAPPED: Address = "0x0000000000000000000000000000000000001102"
const USDC: Address = "0x0000000000000000000000000000000000001103"
const GATEWAY: Address = "0x4a56AEf5b6A5b9742AbB02cA67C5a85ba183D901"
const ITS_ROUTER: Address = "0x62e2fe718Ca3008a6a322DEEc9903286463F1AdD"
const PENDING = `0x${"9d".repeat(32)}` as const
const WINDOW = 1_800n
const [PRICE, TICK, LIQUIDITY] = [1n << 96n, -60, 10n ** 18n]

const project = { chainId: 1, projectId: "7" }
const input = { project, tokens: [NATIVE], pairs: [{ tokenIn: NATIVE, tokenOut: USDC }] }

const known = (value: unknown) => ({ status: "known", value })

const keyOf = (world: Contracts) => ({
  currency0: ZERO,
  currency1: STRANGER,
  fee: 10_000,
  tickSpacing: 200,
  hooks: world.at("JBUniswapV4Hook")
})

const buyback = (name: string, at: Address, ...args: ReadonlyArray<unknown>) => ({
  contract: "JBBuybackHook",
  function: name,
  args,
  at
})
const oracle = (world: Contracts, name: string, ...args: ReadonlyArray<unknown>) => ({
  contract: "JBUniswapV4Hook",
  function: name,
  args: [keyOf(world), ...args]
})
const ofRegistry = (name: string, ...args: ReadonlyArray<unknown>) => ({
  contract: "JBBuybackHookRegistry",
  function: name,
  args
})
const ofRouters = (name: string) => ({
  contract: "JBRouterTerminalRegistry",
  function: name,
  args: [PROJECT]
})
const ofDirectory = (name: string, ...args: ReadonlyArray<unknown>) => ({
  contract: "JBDirectory",
  function: name,
  args: [PROJECT, ...args]
})
const contextsOf = (at: Address) => ({
  contract: "JBMultiTerminal",
  function: "accountingContextsOf",
  args: [PROJECT],
  at
})

const calldata = (signature: string, types: ReadonlyArray<string>, ...args: ReadonlyArray<unknown>): Hex =>
  `0x${id(signature).slice(2, 10)}${coder.encode(types, args).slice(2)}`

const word = (value: bigint | string) => ({ result: `0x${BigInt(value).toString(16).padStart(64, "0")}` })

const EMPTY = { currency0: ZERO, currency1: ZERO, fee: 0, tickSpacing: 0, hooks: ZERO }

const pools = (world: Contracts) => {
  for (const generation of ["current", "v1", "later"]) {
    const hook = world.at("JBBuybackHook", generation)
    world
      .says(buyback("poolManager", hook), MANAGER)
      .says(buyback("oracleHook", hook), world.at("JBUniswapV4Hook"))
      .says(buyback("poolKeyOf", hook, PROJECT, NATIVE), generation === "current" ? keyOf(world) : EMPTY)
      .says(buyback("twapWindowOf", hook, PROJECT, NATIVE), generation === "current" ? WINDOW : 0n)
  }
  const poolId = poolIdOf(keyOf(world))
  const extsload = (slot: Hex) => calldata("extsload(bytes32)", ["bytes32"], slot)
  const slot0 = (BigInt.asUintN(24, BigInt(TICK)) << 160n) | PRICE
  return world
    .raw(MANAGER, extsload(stateSlotOf(poolId)), word(slot0), "PoolManager.slot0")
    .raw(MANAGER, extsload(liquiditySlotOf(poolId)), word(LIQUIDITY), "PoolManager.liquidity")
    .says(oracle(world, "observationCoverageOf"), Number(WINDOW))
    .says(oracle(world, "observe", [Number(WINDOW), 0]), [
      [0n, -1_801n],
      [0n, 1_800n << 64n]
    ])
}

const routers = (world: Contracts) => {
  for (const generation of ["current", "v1", "later"])
    world.says(
      {
        contract: "JBRouterTerminal",
        function: "wrappedNativeToken",
        at: world.at("JBRouterTerminal", generation)
      },
      WRAPPED
    )
  const router = world.at("JBRouterTerminal")
  return world
    .says(ofRouters("terminalOf"), router)
    .says(ofRouters("defaultTerminalFor"), router)
    .says(ofRouters("hasLockedTerminal"), false)
    .says(
      { contract: "JBRouterTerminal", function: "discoverBestPool", args: [WRAPPED, USDC] },
      {
        isV4: true,
        v3Pool: ZERO,
        v4Key: keyOf(world)
      }
    )
    .says(contextsOf(world.at("JBMultiTerminal")), [{ token: NATIVE, decimals: 18, currency: 61_166 }])
    .says(contextsOf(world.at("JBRouterTerminalRegistry")), [])
}

const chain = Effect.map(contracts, world =>
  routers(pools(withDataHook(world, world.at("JBBuybackHookRegistry"))))
    .says(ofDirectory("controllerOf"), world.at("JBController"))
    .says(ofDirectory("terminalsOf"), [world.at("JBMultiTerminal"), world.at("JBRouterTerminalRegistry")])
    .says(ofDirectory("primaryTerminalOf", NATIVE), world.at("JBMultiTerminal"))
    .says(ofRegistry("hookOf", PROJECT), world.at("JBBuybackHook"))
    .says(ofRegistry("hasLockedHook", PROJECT), true)
    .says(ofRegistry("isHookAllowed", world.at("JBBuybackHook")), true)
    .says({ contract: "REVOwner", function: "BUYBACK_HOOK" }, world.at("JBBuybackHookRegistry"))
    .says({ contract: "REVOwner", function: "tiered721HookOf", args: [PROJECT] }, ZERO)
    .says(
      {
        contract: "JBAddressRegistry",
        function: "deployerOf",
        args: [world.at("JBBuybackHookRegistry")]
      },
      ZERO
    )
)

const answered = Effect.fn("answered")(function* (
  change: (world: Contracts) => Contracts,
  given: Readonly<Record<string, unknown>> = input
) {
  const { answer, ...rest } = yield* (yield* Effect.map(chain, change)).answers(runGetRouting, given)
  return { answer: Object(answer), ...rest }
})

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
          world.says(buyback("poolKeyOf", world.at("JBBuybackHook"), PROJECT, NATIVE), EMPTY)
        )
        assert.deepStrictEqual(none.answer.buybackPools.value[0].pool, known(null))
        const windowless = yield* answered(world =>
          world.says(buyback("twapWindowOf", world.at("JBBuybackHook"), PROJECT, NATIVE), 0n)
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

    it.effect("looks through a gateway that names a recorded router and the directory", () =>
      Effect.gen(function* () {
        const gateway = (world: Contracts, router: Address, directory: Address) => {
          const told = (data: Hex, types: ReadonlyArray<string>, ...values: ReadonlyArray<unknown>) =>
            world.raw(GATEWAY, data, { result: coder.encode(types, values) }, `Gateway.${data.slice(0, 10)}`)
          told("0x32fe7b26", ["address"], router)
          told("0x88bc2ef3", ["address"], directory)
          told("0x5c7ee100", ["uint256"], 2n)
          told(`0xb2fbb207${PENDING.slice(2)}`, ["bytes32"], PENDING)
          told(
            `0x9d58696c${PENDING.slice(2)}`,
            ["bytes32", "uint32", "uint48", "uint64"],
            PENDING,
            3,
            1_700_000_000,
            500_000
          )
          return world.says(ofRouters("terminalOf"), GATEWAY)
        }
        const given = { ...input, pendingCallIds: [PENDING] }
        const held = yield* answered(
          world => gateway(world, world.at("JBRouterTerminal"), world.at("JBDirectory")),
          given
        )
        const { path, pendingCalls, pairs, resolved, registry } = held.answer.router
        assert.deepStrictEqual(resolved, known({ terminal: GATEWAY, kind: "gateway" }))
        assert.deepStrictEqual(path.value.slice(0, 2), [registry, GATEWAY])
        assert.strictEqual(path.value.length, 3)
        assert.strictEqual(pairs[0].pool.status, "known")
        assert.deepStrictEqual(
          pendingCalls,
          known({
            gateway: GATEWAY,
            count: known("2"),
            calls: [
              {
                id: PENDING,
                commitment: known(PENDING),
                failure: known({
                  errorHash: PENDING,
                  count: "3",
                  lastFailureAt: "1700000000",
                  highestGasLimit: "500000"
                })
              }
            ]
          })
        )
        assert.strictEqual(held.roundTrips, 3)
        const own = yield* answered(world => gateway(world, ITS_ROUTER, world.at("JBDirectory")), given)
        assert.deepStrictEqual(own.answer.router.path, known([registry, GATEWAY, ITS_ROUTER]))
        const foreign: ReadonlyArray<(world: Contracts) => Contracts> = [
          world => gateway(world, STRANGER, world.at("JBDirectory")),
          world => gateway(world, world.at("JBRouterTerminal"), STRANGER)
        ]
        for (const change of foreign) {
          const { answer } = yield* answered(change, given)
          assert.strictEqual(answer.router.path.error.code, "UNSUPPORTED_ROUTER_GATEWAY")
          assert.strictEqual(answer.router.pendingCalls.error.code, "UNSUPPORTED_ROUTER_GATEWAY")
        }
      })
    )

    it.effect("leads nowhere where the registry names nothing, and says so of what it does not know", () =>
      Effect.gen(function* () {
        const nothing = yield* answered(world => world.says(ofRouters("terminalOf"), ZERO))
        assert.deepInclude(nothing.answer.router, { resolved: known(null), path: known([]) })
        assert.strictEqual(nothing.answer.router.pairs[0].pool.error.code, "REGISTRY_NOT_CONFIGURED")
        const foreign = yield* answered(world => world.says(ofRouters("terminalOf"), STRANGER))
        assert.deepInclude(foreign.answer.router.resolved, known({ terminal: STRANGER, kind: "unrecorded" }))
        assert.strictEqual(foreign.answer.router.path.error.code, "UNSUPPORTED_TERMINAL")
        const direct = yield* answered(world =>
          world.says(ofRouters("terminalOf"), world.at("JBMultiTerminal"))
        )
        assert.strictEqual(direct.answer.router.path.value.length, 2)
      })
    )

    it.effect("shows everything but the terminals of a project that has more than it reads", () =>
      Effect.gen(function* () {
        const many = yield* answered(world =>
          world.says(ofDirectory("terminalsOf"), Array<Address>(17).fill(STRANGER))
        )
        const { directoryTerminals, terminalContexts, path } = many.answer.router
        assert.deepStrictEqual(
          [directoryTerminals.error.code, terminalContexts.error.code, path.status],
          ["READ_LIMIT_EXCEEDED", "READ_LIMIT_EXCEEDED", "known"]
        )
      })
    )

    it.effect("refuses foreign controllers and hooks", () =>
      Effect.gen(function* () {
        const refusals: ReadonlyArray<readonly [string, (world: Contracts) => Contracts]> = [
          ["PROJECT_NOT_FOUND", world => world.says(ofDirectory("controllerOf"), ZERO)],
          ["UNSUPPORTED_CONTROLLER", world => world.says(ofDirectory("controllerOf"), STRANGER)],
          ["UNSUPPORTED_CONFIGURATION", world => withDataHook(world, STRANGER)],
          ["UNSUPPORTED_CONFIGURATION", world => world.says(ofRegistry("hookOf", PROJECT), STRANGER)],
          [
            "UNSUPPORTED_CONFIGURATION",
            world =>
              world.says({ contract: "JBController", function: "currentRulesetOf", args: [PROJECT] }, [
                ruleset(),
                metadata({ useDataHookForCashOut: true, dataHook: STRANGER })
              ])
          ]
        ]
        for (const [code, change] of refusals)
          assert.strictEqual((yield* answered(change)).refused, code, String(change))
      })
    )

    it.effect("says what it could not read, and refuses where that is which hooks there are", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const pool = (part: string) => `buybackPools.value.0.pool.value.${part}`
        for (const [reply, code] of [
          [undefined, "CALL_REVERTED"],
          [REFUSED, "RPC_UNAVAILABLE"]
        ] as const) {
          const unseen = [`${pool("oracle.quality")} changed`, `${pool("oracle.observation")}: ${code}`]
          const resolved = [
            `router.resolved: ${code}`,
            `router.path: ${code}`,
            `router.pendingCalls: ${code}`,
            `router.pairs.0.pool: ${code}`
          ]
          assert.deepStrictEqual(yield* cuts(world, runGetRouting, input, reply), {
            "JBDirectory.controllerOf": code,
            "JBController.currentRulesetOf": code,
            "JBDirectory.terminalsOf": [
              `router.directoryTerminals: ${code}`,
              `router.terminalContexts: ${code}`
            ],
            "JBBuybackHookRegistry.hookOf": code,
            "JBBuybackHookRegistry.hasLockedHook": [`hooks.buybackRegistry.locked: ${code}`],
            "JBBuybackHookRegistry.isHookAllowed": [`hooks.buybackRegistry.allowed: ${code}`],
            "REVOwner.BUYBACK_HOOK": [],
            "REVOwner.tiered721HookOf": [],
            "JBAddressRegistry.deployerOf": [],
            "JBRouterTerminalRegistry.terminalOf": resolved,
            "JBRouterTerminalRegistry.defaultTerminalFor": [`router.cohortDefault: ${code}`],
            "JBRouterTerminalRegistry.hasLockedTerminal": [`router.locked: ${code}`],
            "JBRouterTerminal.wrappedNativeToken": [`router.pairs.0.pool: ${code}`],
            "JBRouterTerminal.wrappedNativeToken#2": [],
            "JBRouterTerminal.wrappedNativeToken#3": [],
            "JBRouterTerminal.discoverBestPool": [`router.pairs.0.pool: ${code}`],
            "JBMultiTerminal.accountingContextsOf": [`router.terminalContexts.value.0.contexts: ${code}`],
            "JBMultiTerminal.accountingContextsOf#2": [`router.terminalContexts.value.1.contexts: ${code}`],
            "JBDirectory.primaryTerminalOf": [`tokens.value.0.primaryTerminal: ${code}`],
            "JBBuybackHook.poolManager": [`${pool("poolManager")}: ${code}`, `${pool("state")}: ${code}`],
            "JBBuybackHook.oracleHook": [
              `${pool("oracle.hook")}: ${code}`,
              `${pool("oracle.coverageSeconds")}: ${code}`,
              ...unseen
            ],
            "JBBuybackHook.poolKeyOf": [`buybackPools.value.0.pool: ${code}`],
            "JBBuybackHook.twapWindowOf": [`${pool("oracle.twapWindow")}: ${code}`, ...unseen],
            "JBBuybackHook.poolManager#2": [],
            "JBBuybackHook.oracleHook#2": [],
            "JBBuybackHook.poolKeyOf#2": [],
            "JBBuybackHook.twapWindowOf#2": [],
            "JBBuybackHook.poolManager#3": [],
            "JBBuybackHook.oracleHook#3": [],
            "JBBuybackHook.poolKeyOf#3": [],
            "JBBuybackHook.twapWindowOf#3": [],
            "PoolManager.slot0": [`${pool("state")}: ${code}`],
            "PoolManager.liquidity": [`${pool("state")}: ${code}`],
            "JBUniswapV4Hook.observationCoverageOf": [
              `${pool("oracle.coverageSeconds")}: ${code}`,
              `${pool("oracle.quality")} changed`
            ],
            "JBUniswapV4Hook.observe": unseen
          })
        }
      })
    )
  })
})

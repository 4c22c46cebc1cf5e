import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { PlanOperation } from "../../../src/operations/framework/DefinePlan.ts"
import { runPrepareBuybackHook } from "../../../src/operations/routing/PrepareBuybackHook.ts"
import { runPrepareBuybackPool } from "../../../src/operations/routing/PrepareBuybackPool.ts"
import { runPrepareRouterTerminal } from "../../../src/operations/routing/PrepareRouterTerminal.ts"
import type { PinnedContracts } from "../../../src/protocol/PinnedContracts.ts"
import { poolIdOf } from "../../../src/protocol/PoolIds.ts"
import type { Address } from "../../../src/values/Scalars.ts"
import { drafted, keyOf, MANAGER, ofHook, ofRegistry, TOKEN, withPool, word } from "../support/Buyback.ts"
import { type Contracts, contracts, pinnedCatalog } from "../support/Contracts.ts"
import {
  controllerOf,
  extraHookOf,
  registeredBuyback,
  revnetBuyback,
  revnetShop,
  terminalsOf,
  tieredHookOf
} from "../support/Payments.ts"
import { metadata, NATIVE, PROJECT, revnetMetadata, ruleset, STRANGER, ZERO } from "../support/Revnets.ts"
import { currentRuleset, HOOK, withClone, withDataHook } from "../support/Shops.ts"

const ACCOUNT: Address = "0x0000000000000000000000000000000000001111"
const LOWER: Address = "0x0000000000000000000000000000000000001103"
const GATEWAY: Address = "0x4a56AEf5b6A5b9742AbB02cA67C5a85ba183D901"
const HIGHER: Address = "0x0000000000000000000000000000000000001105"
const SET_POOL = "setPoolFor(uint256,uint24,int24,uint256,address)"
const EMPTY = { currency0: ZERO, currency1: ZERO, fee: 0, tickSpacing: 0, hooks: ZERO }

const project = { chainId: 1, projectId: "7" }
const pool = {
  project,
  account: ACCOUNT,
  terminalToken: NATIVE,
  fee: 3_000,
  tickSpacing: 60,
  twapWindowSeconds: 172_800
}
const back = { project, account: ACCOUNT, hook: ZERO }

const ownerOf = { contract: "JBProjects", function: "ownerOf", args: [PROJECT] }

const generations = ["current", "v1"] as const

/** Every hook would take the pool, and the owner asks. */
const chain = Effect.map(contracts, world => {
  for (const generation of generations) {
    const hook = world.at("JBBuybackHook", generation)
    world
      .says(ofHook(hook, "poolManager"), MANAGER)
      .says(ofHook(hook, "oracleHook"), world.at("JBUniswapV4Hook"))
      .says(ofHook(hook, "poolKeyOf", PROJECT, NATIVE), EMPTY)
      .says(ofHook(hook, "twapWindowOf", PROJECT, NATIVE), 0n)
      .says(ofHook(hook, SET_POOL, PROJECT, 3_000, 60, 172_800n, NATIVE), [])
  }
  return withDataHook(withPool(world, 1n << 96n), world.at("JBBuybackHookRegistry"))
    .says(controllerOf, world.at("JBController"))
    .says(ownerOf, ACCOUNT)
    .says({ contract: "JBTokens", function: "tokenOf", args: [PROJECT] }, TOKEN)
    .says(registeredBuyback, world.at("JBBuybackHook"))
    .says(ofRegistry("hasLockedHook", PROJECT), false)
    .says(ofRegistry("defaultHookProjectIdThreshold"), 0n)
    .says(ofRegistry("defaultHook"), world.at("JBBuybackHook"))
    .says(ofRegistry("defaultHookHistoryLength"), 0n)
    .says(ofRegistry("setHookFor", PROJECT, ZERO), [])
    .says(revnetBuyback, world.at("JBBuybackHookRegistry"))
    .says(revnetShop, ZERO)
})

const asked = (
  operation: PlanOperation<PinnedContracts>,
  input: unknown,
  change: (world: Contracts) => Contracts = world => world
) => Effect.flatMap(chain, world => drafted(change(world), operation, input))

const asRevnet = (world: Contracts) =>
  withClone(world)
    .says(currentRuleset, [ruleset(), revnetMetadata(world)])
    .says(revnetShop, HOOK)

describe("prepare_buyback_pool", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("is for the hook that the registry names, in three round trips", () =>
      Effect.gen(function* () {
        const { world, draft, summary, roundTrips } = yield* asked(runPrepareBuybackPool, pool)
        assert.strictEqual(roundTrips, 3)
        assert.strictEqual(draft?.calls[0]?.to, world.at("JBBuybackHook"))
        assert.deepInclude(summary, { storedTwapWindow: "172800", poolId: poolIdOf(keyOf(world)) })
        assert.lengthOf(draft?.warnings ?? [], 2)
      })
    )

    it.effect("warns of a pool without liquidity", () =>
      Effect.gen(function* () {
        const { draft } = yield* asked(runPrepareBuybackPool, pool, it => withPool(it, 1n, keyOf(it), 0n))
        assert.match(draft?.warnings.join() ?? "", /no liquidity/)
      })
    )

    it.effect("takes no more of an operator", () =>
      Effect.gen(function* () {
        const granted = {
          contract: "JBPermissions",
          function: "hasPermission",
          args: [ACCOUNT, STRANGER, PROJECT, 29n, true, true]
        }
        const { summary, roundTrips } = yield* asked(runPrepareBuybackPool, pool, it =>
          it.says(ownerOf, STRANGER).says(granted, true)
        )
        assert.strictEqual(summary.authority, "permission")
        assert.strictEqual(roundTrips, 3)
      })
    )

    it.effect("is for a hook that the ruleset names itself, of whatever generation", () =>
      Effect.gen(function* () {
        for (const generation of generations) {
          const { world, draft, roundTrips } = yield* asked(runPrepareBuybackPool, pool, it =>
            withDataHook(it, it.at("JBBuybackHook", generation))
          )
          assert.strictEqual(draft?.calls[0]?.to, world.at("JBBuybackHook", generation))
          assert.strictEqual(roundTrips, 3)
        }
      })
    )

    it.effect("is for a revnet's hook, whose shop is proved beside, in three round trips", () =>
      Effect.gen(function* () {
        const { world, draft, roundTrips } = yield* asked(runPrepareBuybackPool, pool, asRevnet)
        assert.strictEqual(draft?.calls[0]?.to, world.at("JBBuybackHook"))
        assert.strictEqual(roundTrips, 3)
        const { refused } = yield* asked(runPrepareBuybackPool, pool, it => asRevnet(it).code(HOOK, "0x00"))
        assert.strictEqual(refused, "UNSUPPORTED_721_HOOK")
      })
    )

    it.effect("is for the hook that the omnichain deployer keeps for the ruleset, in three round trips", () =>
      Effect.gen(function* () {
        const { world, draft, roundTrips } = yield* asked(runPrepareBuybackPool, pool, it =>
          withDataHook(it, it.at("JBOmnichainDeployer"))
            .says(tieredHookOf, [ZERO, false])
            .says(extraHookOf, {
              dataHook: it.at("JBBuybackHook", "v1"),
              useDataHookForPay: true,
              useDataHookForCashOut: false
            })
        )
        assert.strictEqual(draft?.calls[0]?.to, world.at("JBBuybackHook", "v1"))
        assert.strictEqual(roundTrips, 3)
      })
    )

    it.effect("pairs the project's token with another one in ascending order", () =>
      Effect.gen(function* () {
        for (const [other, currency0, currency1] of [
          [LOWER, LOWER, TOKEN],
          [HIGHER, TOKEN, HIGHER]
        ] as const) {
          const { summary } = yield* asked(runPrepareBuybackPool, { ...pool, terminalToken: other }, it => {
            const hook = it.at("JBBuybackHook")
            return withPool(it, 1n, { ...keyOf(it), currency0, currency1 })
              .says(ofHook(hook, "poolKeyOf", PROJECT, other), EMPTY)
              .says(ofHook(hook, SET_POOL, PROJECT, 3_000, 60, 172_800n, other), [])
          })
          assert.deepInclude(summary.key, { currency0, currency1 })
        }
      })
    )

    it.effect("is for the hook that acts on cash-outs alone", () =>
      Effect.gen(function* () {
        const { refused } = yield* asked(runPrepareBuybackPool, pool, it =>
          it.says(currentRuleset, [
            ruleset(),
            metadata({ useDataHookForCashOut: true, dataHook: it.at("JBBuybackHookRegistry") })
          ])
        )
        assert.strictEqual(refused, undefined)
      })
    )

    it.effect("is refused before there is a plan", () =>
      Effect.gen(function* () {
        const refusals: ReadonlyArray<readonly [string, (world: Contracts) => Contracts]> = [
          ["BUYBACK_NOT_CONFIGURED", it => it.says(registeredBuyback, ZERO)],
          ["UNSUPPORTED_BUYBACK_IMPLEMENTATION", it => it.says(registeredBuyback, STRANGER)],
          ["UNSUPPORTED_CONFIGURATION", it => withDataHook(it, STRANGER)],
          ["UNSUPPORTED_BUYBACK_IMPLEMENTATION", it => asRevnet(it.says(registeredBuyback, STRANGER))],
          ["PROJECT_NOT_FOUND", it => it.says(controllerOf, ZERO)],
          [
            "INVALID_POOL_PAIR",
            it => it.says({ contract: "JBTokens", function: "tokenOf", args: [PROJECT] }, ZERO)
          ],
          ["ORACLE_UNSET", it => it.says(ofHook(it.at("JBBuybackHook"), "oracleHook"), ZERO)],
          [
            "POOL_ALREADY_SET",
            it => it.says(ofHook(it.at("JBBuybackHook"), "poolKeyOf", PROJECT, NATIVE), keyOf(it))
          ],
          ["POOL_NOT_INITIALIZED", it => withPool(it, 0n)]
        ]
        for (const [code, change] of refusals)
          assert.strictEqual(
            (yield* asked(runPrepareBuybackPool, pool, change)).refused,
            code,
            String(change)
          )
      })
    )
  })
})

const known = (value: unknown) => ({ status: "known", value })

const segment = (from: bigint, to: bigint, hook: Address) => ({
  minProjectIdExclusive: from,
  maxProjectId: to,
  hook
})

describe("prepare_buyback_hook", () => {
  it.layer(pinnedCatalog)(it => {
    const older = (world: Contracts, segments: ReadonlyArray<ReturnType<typeof segment>>) => {
      for (const [index, each] of segments.entries())
        world.says(ofRegistry("defaultHookHistoryAt", BigInt(index)), each)
      return world
        .says(ofRegistry("defaultHookProjectIdThreshold"), 100n)
        .says(ofRegistry("defaultHookHistoryLength"), BigInt(segments.length))
    }

    it.effect("finds the default of the time when the project was made, in three round trips", () =>
      Effect.gen(function* () {
        const { summary, roundTrips } = yield* asked(runPrepareBuybackHook, back, it =>
          older(it, [segment(0n, 6n, ZERO), segment(6n, 7n, STRANGER), segment(7n, 100n, ZERO)])
        )
        assert.deepInclude(summary, { cohortDefault: known(STRANGER), effectiveHookAfter: known(STRANGER) })
        assert.strictEqual(roundTrips, 3)
      })
    )

    it.effect("warns where there is no default, and knows none behind too long a history", () =>
      Effect.gen(function* () {
        const none = yield* asked(runPrepareBuybackHook, back, it => older(it, [segment(7n, 100n, STRANGER)]))
        assert.deepInclude(none.summary, { cohortDefault: known(null), effectiveHookAfter: known(null) })
        assert.match(none.draft?.warnings.join() ?? "", /no default/)
        const long = yield* asked(runPrepareBuybackHook, back, it =>
          older(it, []).says(ofRegistry("defaultHookHistoryLength"), 33n)
        )
        assert.strictEqual(long.summary.cohortDefault.error.code, "READ_LIMIT_EXCEEDED")
        assert.strictEqual(long.summary.effectiveHookAfter.status, "unknown")
      })
    )

    it.effect("leads away from a hook that is not recorded", () =>
      Effect.gen(function* () {
        const { summary } = yield* asked(runPrepareBuybackHook, back, it =>
          it.says(registeredBuyback, STRANGER)
        )
        assert.deepInclude(summary, { previousHook: known(STRANGER) })
      })
    )

    it.effect("warns of a default as of a hook that was chosen", () =>
      Effect.gen(function* () {
        const warned = (to: (world: Contracts) => Address) =>
          Effect.map(
            asked(runPrepareBuybackHook, back, it => it.says(ofRegistry("defaultHook"), to(it))),
            ({ draft }) => draft?.warnings.slice(1).join() ?? "nothing"
          )
        assert.strictEqual(yield* warned(it => it.at("JBBuybackHook")), "")
        assert.match(yield* warned(it => it.at("JBBuybackHook", "v1")), /is retired/)
        assert.match(yield* warned(() => STRANGER), /not recorded/)
      })
    )

    it.effect("is refused where the registry is not in use", () =>
      Effect.gen(function* () {
        const { refused } = yield* asked(runPrepareBuybackHook, back, it =>
          withDataHook(it, it.at("JBBuybackHook"))
        )
        assert.strictEqual(refused, "REGISTRY_NOT_CONFIGURED")
      })
    )

    it.effect("is refused where the ruleset itself names the unknown hook that the registry names too", () =>
      Effect.gen(function* () {
        const { refused } = yield* asked(runPrepareBuybackHook, back, it =>
          withDataHook(it, STRANGER).says(registeredBuyback, STRANGER)
        )
        assert.strictEqual(refused, "UNSUPPORTED_CONFIGURATION")
      })
    )
  })
})

describe("prepare_router_terminal", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("shows the router behind a recorded gateway, in three round trips", () =>
      Effect.gen(function* () {
        const ofRouters = (name: string, ...args: ReadonlyArray<unknown>) => ({
          contract: "JBRouterTerminalRegistry",
          function: name,
          args
        })
        const input = { project, account: ACCOUNT, terminal: GATEWAY }
        const { world, draft, summary, roundTrips } = yield* asked(runPrepareRouterTerminal, input, it =>
          it
            .says(ofRouters("hasLockedTerminal", PROJECT), false)
            .says(ofRouters("isTerminalAllowed", GATEWAY), true)
            .says(ofRouters("terminalOf", PROJECT), it.at("JBRouterTerminal"))
            .says(ofRouters("defaultTerminalFor", PROJECT), it.at("JBRouterTerminal"))
            .says(ofRouters("setTerminalFor", PROJECT, GATEWAY), [])
            .says(terminalsOf, [it.at("JBRouterTerminalRegistry")])
            .raw(GATEWAY, "0x32fe7b26", word(BigInt(it.at("JBRouterTerminal"))), "gateway.ROUTER")
            .raw(GATEWAY, "0x88bc2ef3", word(BigInt(it.at("JBDirectory"))), "gateway.DIRECTORY")
        )
        assert.deepStrictEqual(
          summary.effectivePathAfter,
          known([world.at("JBRouterTerminalRegistry"), GATEWAY, world.at("JBRouterTerminal")])
        )
        assert.deepStrictEqual(draft?.warnings, [])
        assert.strictEqual(roundTrips, 3)
      })
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runPrepareBuybackPool } from "../../../src/operations/routing/prepare_buyback_pool/Run.ts"
import { runPrepareBuybackTwap } from "../../../src/operations/routing/prepare_buyback_twap/Run.ts"
import { poolIdOf } from "../../../src/protocol/PoolIds.ts"
import type { Address } from "../../../src/values/Scalars.ts"
import { keyOf, ofHook, TOKEN, withPool } from "../support/Buyback.ts"
import { type Contracts, pinnedCatalog } from "../support/Contracts.ts"
import {
  controllerOf,
  extraHookOf,
  registeredBuyback,
  revnetShop,
  tieredHookOf
} from "../support/Payments.ts"
import { metadata, NATIVE, PROJECT, revnetMetadata, ruleset, STRANGER, ZERO } from "../support/Revnets.ts"
import { currentRuleset, HOOK, withClone, withDataHook } from "../support/Shops.ts"
import { ACCOUNT, asked, EMPTY, generations, ownerOf, project, SET_POOL } from "./support/Choices.ts"

const LOWER: Address = "0x0000000000000000000000000000000000001103"
const HIGHER: Address = "0x0000000000000000000000000000000000001105"

const pool = {
  project,
  account: ACCOUNT,
  terminalToken: NATIVE,
  fee: 3_000,
  tickSpacing: 60,
  twapWindowSeconds: 172_800
}

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
          ["PROJECT_WITHOUT_CONTROLLER", it => it.says(controllerOf, ZERO)],
          [
            "INVALID_POOL_PAIR",
            it => it.says({ contract: "JBTokens", function: "tokenOf", args: [PROJECT] }, ZERO)
          ],
          ["ORACLE_UNSET", it => it.says(ofHook(it.at("JBBuybackHook"), "oracleHook"), ZERO)],
          [
            "POOL_ALREADY_SET",
            it => it.says(ofHook(it.at("JBBuybackHook"), "poolKeyOf", PROJECT, ZERO), keyOf(it))
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

describe("prepare_buyback_twap", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("finds the pool of the native token where the hook keeps it, by the zero address alone", () =>
      Effect.gen(function* () {
        const { terminalToken, twapWindowSeconds } = pool
        const window = { project, account: ACCOUNT, terminalToken, twapWindowSeconds }
        const { world, summary, roundTrips } = yield* asked(runPrepareBuybackTwap, window, it => {
          const hook = it.at("JBBuybackHook")
          return it
            .says(ofHook(hook, "poolKeyOf", PROJECT, ZERO), keyOf(it))
            .says(ofHook(hook, "twapWindowOf", PROJECT, ZERO), 600n)
            .says(ofHook(hook, "setTwapWindowOf", PROJECT, NATIVE, 172_800n), [])
        })
        assert.deepInclude(summary, {
          terminalToken: NATIVE,
          poolId: poolIdOf(keyOf(world)),
          oldWindow: "600"
        })
        assert.strictEqual(roundTrips, 3)
        assert.strictEqual((yield* asked(runPrepareBuybackTwap, window)).refused, "POOL_NOT_SET")
      })
    )
  })
})

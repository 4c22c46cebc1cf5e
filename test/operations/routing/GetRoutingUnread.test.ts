import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runGetRouting } from "../../../src/operations/routing/get_routing/Run.ts"
import { type Contracts, CUTS, cuts, pinnedCatalog } from "../support/Contracts.ts"
import { metadata, PROJECT, ruleset, STRANGER, ZERO } from "../support/Revnets.ts"
import { withDataHook } from "../support/Shops.ts"
import { answered, chain, input, ofDirectory, ofRegistry } from "./support/RoutedProject.ts"

describe("get_routing", () => {
  it.layer(pinnedCatalog)(it => {
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
        for (const [reply, code] of CUTS) {
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
            "JBBuybackHook.poolKeyOf#3": [],
            "JBBuybackHook.twapWindowOf#3": [],
            "JBBuybackHook.poolManager#3": [],
            "JBBuybackHook.oracleHook#3": [],
            "JBBuybackHook.poolKeyOf#5": [],
            "JBBuybackHook.twapWindowOf#5": [],
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

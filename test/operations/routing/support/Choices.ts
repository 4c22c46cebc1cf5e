/** A chain where every buyback hook would take the pool that is asked for, and the owner asks. */
import { Effect } from "effect"
import type { PlanOperation } from "../../../../src/operations/framework/DefinePlan.ts"
import type { PinnedContracts } from "../../../../src/protocol/PinnedContracts.ts"
import type { Address } from "../../../../src/values/Scalars.ts"
import { drafted, MANAGER, ofHook, ofRegistry, TOKEN, withPool } from "../../support/Buyback.ts"
import { type Contracts, contracts } from "../../support/Contracts.ts"
import { controllerOf, registeredBuyback, revnetBuyback, revnetShop } from "../../support/Payments.ts"
import { NATIVE, PROJECT, ZERO } from "../../support/Revnets.ts"
import { withDataHook } from "../../support/Shops.ts"

export const ACCOUNT: Address = "0x0000000000000000000000000000000000001111"
export const SET_POOL = "setPoolFor(uint256,uint24,int24,uint256,address)"
export const EMPTY = { currency0: ZERO, currency1: ZERO, fee: 0, tickSpacing: 0, hooks: ZERO }

export const project = { chainId: 1, projectId: "7" }

export const ownerOf = { contract: "JBProjects", function: "ownerOf", args: [PROJECT] }

export const generations = ["current", "v1"] as const

const chain = Effect.map(contracts, world => {
  for (const generation of generations) {
    const hook = world.at("JBBuybackHook", generation)
    world
      .says(ofHook(hook, "poolManager"), MANAGER)
      .says(ofHook(hook, "oracleHook"), world.at("JBUniswapV4Hook"))
      .says(ofHook(hook, "poolKeyOf", PROJECT, ZERO), EMPTY)
      .says(ofHook(hook, "twapWindowOf", PROJECT, ZERO), 0n)
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
    .says(ofRegistry("isHookAllowed", world.at("JBBuybackHook")), true)
    .says(ofRegistry("setHookFor", PROJECT, world.at("JBBuybackHook")), [])
    .says(revnetBuyback, world.at("JBBuybackHookRegistry"))
    .says(revnetShop, ZERO)
})

export const asked = (
  operation: PlanOperation<PinnedContracts>,
  input: unknown,
  change: (world: Contracts) => Contracts = world => world
) => Effect.flatMap(chain, world => drafted(change(world), operation, input))

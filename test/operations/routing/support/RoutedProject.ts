/** A project whose hooks, routers and pools a scripted chain tells. */
import { Effect } from "effect"
import { AbiCoder, id } from "ethers"
import { runGetRouting } from "../../../../src/operations/routing/get_routing/Run.ts"
import { liquiditySlotOf, stateSlotOf } from "../../../../src/operations/routing/Pools.ts"
import { poolIdOf } from "../../../../src/protocol/PoolIds.ts"
import type { Address, Hex } from "../../../../src/values/Scalars.ts"
import { type Contracts, contracts } from "../../support/Contracts.ts"
import { NATIVE, PROJECT, STRANGER, ZERO } from "../../support/Revnets.ts"
import { withDataHook } from "../../support/Shops.ts"

export const coder = AbiCoder.defaultAbiCoder()

export const MANAGER: Address = "0x0000000000000000000000000000000000001101"
const WRAPPED: Address = "0x0000000000000000000000000000000000001102"
export const USDC: Address = "0x0000000000000000000000000000000000001103"
export const GATEWAY: Address = "0x4a56AEf5b6A5b9742AbB02cA67C5a85ba183D901"
export const ITS_ROUTER: Address = "0x62e2fe718Ca3008a6a322DEEc9903286463F1AdD"
export const PENDING = `0x${"9d".repeat(32)}` as const
const WINDOW = 1_800n
export const [PRICE, TICK, LIQUIDITY] = [1n << 96n, -60, 10n ** 18n]

export const project = { chainId: 1, projectId: "7" }
export const input = { project, tokens: [NATIVE], pairs: [{ tokenIn: NATIVE, tokenOut: USDC }] }

export const known = (value: unknown) => ({ status: "known", value })

export const keyOf = (world: Contracts) => ({
  currency0: ZERO,
  currency1: STRANGER,
  fee: 10_000,
  tickSpacing: 200,
  hooks: world.at("JBUniswapV4Hook")
})

export const buyback = (name: string, at: Address, ...args: ReadonlyArray<unknown>) => ({
  contract: "JBBuybackHook",
  function: name,
  args,
  at
})
export const oracle = (world: Contracts, name: string, ...args: ReadonlyArray<unknown>) => ({
  contract: "JBUniswapV4Hook",
  function: name,
  args: [keyOf(world), ...args]
})
export const ofRegistry = (name: string, ...args: ReadonlyArray<unknown>) => ({
  contract: "JBBuybackHookRegistry",
  function: name,
  args
})
export const ofRouters = (name: string) => ({
  contract: "JBRouterTerminalRegistry",
  function: name,
  args: [PROJECT]
})
export const ofDirectory = (name: string, ...args: ReadonlyArray<unknown>) => ({
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

export const EMPTY = { currency0: ZERO, currency1: ZERO, fee: 0, tickSpacing: 0, hooks: ZERO }

export const pools = (world: Contracts) => {
  for (const generation of ["current", "v1", "later"]) {
    const hook = world.at("JBBuybackHook", generation)
    world
      .says(buyback("poolManager", hook), MANAGER)
      .says(buyback("oracleHook", hook), world.at("JBUniswapV4Hook"))
      .says(buyback("poolKeyOf", hook, PROJECT, ZERO), generation === "current" ? keyOf(world) : EMPTY)
      .says(buyback("twapWindowOf", hook, PROJECT, ZERO), generation === "current" ? WINDOW : 0n)
      .says(buyback("poolKeyOf", hook, PROJECT, NATIVE), EMPTY)
      .says(buyback("twapWindowOf", hook, PROJECT, NATIVE), 0n)
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

export const chain = Effect.map(contracts, world =>
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

export const answered = Effect.fn("answered")(function* (
  change: (world: Contracts) => Contracts,
  given: Readonly<Record<string, unknown>> = input
) {
  const { answer, ...rest } = yield* (yield* Effect.map(chain, change)).answers(runGetRouting, given)
  return { answer: Object(answer), ...rest }
})

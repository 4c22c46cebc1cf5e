/** Pools of a pool manager for the token of project 7, and the buyback hooks that may choose them. */
import { AbiCoder, id } from "ethers"
import { liquiditySlotOf, stateSlotOf } from "../../../src/operations/routing/Pools.ts"
import { poolIdOf } from "../../../src/protocol/PoolIds.ts"
import type { Address, Hex } from "../../../src/values/Scalars.ts"
import type { Contracts } from "./Contracts.ts"
import { ZERO } from "./Revnets.ts"

const coder = AbiCoder.defaultAbiCoder()
export const MANAGER: Address = "0x0000000000000000000000000000000000001101"
export const TOKEN: Address = "0x0000000000000000000000000000000000001104"

export const ofRegistry = (name: string, ...args: ReadonlyArray<unknown>) => ({
  contract: "JBBuybackHookRegistry",
  function: name,
  args
})

export const ofHook = (at: Address, name: string, ...args: ReadonlyArray<unknown>) => ({
  contract: "JBBuybackHook",
  function: name,
  args,
  at
})

const word = (value: bigint) => ({ result: `0x${value.toString(16).padStart(64, "0")}` })

const extsload = (slot: Hex): Hex =>
  `0x${id("extsload(bytes32)").slice(2, 10)}${coder.encode(["bytes32"], [slot]).slice(2)}`

/** Of the pool that the tests choose for ether. */
export const keyOf = (world: Contracts) => ({
  currency0: ZERO,
  currency1: TOKEN,
  fee: 3_000,
  tickSpacing: 60,
  hooks: world.at("JBUniswapV4Hook")
})

export const withPool = (world: Contracts, price: bigint, key = keyOf(world)) => {
  const poolId = poolIdOf(key)
  return world
    .raw(MANAGER, extsload(stateSlotOf(poolId)), word(price), "PoolManager.slot0")
    .raw(MANAGER, extsload(liquiditySlotOf(poolId)), word(5n), "PoolManager.liquidity")
}

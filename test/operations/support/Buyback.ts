/** Pools of a pool manager for the token of project 7, and the buyback hooks that may choose them. */
import { Effect, Either } from "effect"
import { AbiCoder, id } from "ethers"
import type { PlanOperation } from "../../../src/operations/framework/DefinePlan.ts"
import { liquiditySlotOf, stateSlotOf } from "../../../src/operations/routing/Pools.ts"
import { PinnedContracts } from "../../../src/protocol/PinnedContracts.ts"
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

export const word = (value: bigint) => ({ result: `0x${value.toString(16).padStart(64, "0")}` })

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

export const withPool = (world: Contracts, price: bigint, key = keyOf(world), liquidity = 5n) => {
  const poolId = poolIdOf(key)
  return world
    .raw(MANAGER, extsload(stateSlotOf(poolId)), word(price), "PoolManager.slot0")
    .raw(MANAGER, extsload(liquiditySlotOf(poolId)), word(liquidity), "PoolManager.liquidity")
}

/** What an operation makes of an input on this chain, and how often it asked. */
export const drafted = Effect.fn("drafted")(function* (
  world: Contracts,
  operation: PlanOperation<PinnedContracts>,
  input: unknown
) {
  const pinned = yield* Effect.fromNullable(world.pinned)
  const { draft } = yield* operation.prepare(input)
  const result = yield* Effect.either(Effect.provideService(draft, PinnedContracts, pinned))
  const refusal = Either.isLeft(result) ? result.left : undefined
  return {
    world,
    refused: refusal?._tag,
    context: refusal?.context,
    draft: Either.getOrUndefined(result),
    summary: Object(Either.getOrUndefined(result)?.summary),
    roundTrips: world.traffic.snapshots.length + world.traffic.batches.length
  }
})

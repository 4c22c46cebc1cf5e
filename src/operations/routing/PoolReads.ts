/** What a PoolManager and the oracle hook of a pool say at the block. */
import { Effect, Schema } from "effect"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { type PoolKey, poolIdOf } from "../../protocol/PoolIds.ts"
import { Address, Bytes32, Uint256 } from "../../values/Scalars.ts"
import { AT_ONCE } from "../shared/context/Core.ts"
import { readForeign } from "../shared/context/ForeignReads.ts"
import { liquiditySlotOf, poolStateOf, stateSlotOf } from "./Pools.ts"
import type { Observations } from "./Twap.ts"

/** As an ABI names it, with its small integers in decimal. */
export const ReadPoolKey = Schema.Struct({
  currency0: Address,
  currency1: Address,
  fee: Schema.NumberFromString,
  tickSpacing: Schema.NumberFromString,
  hooks: Address
})

const asArgument = ({ currency0, currency1, fee, tickSpacing, hooks }: PoolKey) => [
  currency0,
  currency1,
  String(fee),
  String(tickSpacing),
  hooks
]

/** By `extsload(bytes32)` rather than from storage, because an address without code then gives no answer at all. */
const storedWord = (snapshot: PinnedSnapshot, poolManager: Address, slot: Bytes32) =>
  Effect.map(
    readForeign(snapshot, poolManager, {
      signature: "extsload(bytes32)",
      words: [slot],
      outputs: [{ name: "", type: "bytes32" }],
      as: Schema.Tuple(Bytes32)
    }),
    ([word]) => word
  )

export const readPoolState = (snapshot: PinnedSnapshot, poolManager: Address, key: PoolKey) => {
  const poolId = poolIdOf(key)
  const slots = [stateSlotOf(poolId), liquiditySlotOf(poolId)] as const
  return Effect.map(
    Effect.all(
      [storedWord(snapshot, poolManager, slots[0]), storedWord(snapshot, poolManager, slots[1])],
      AT_ONCE
    ),
    ([slot0, liquidity]) => poolStateOf(slot0, liquidity)
  )
}

const ORACLE = "JBUniswapV4Hook"

export const readCoverage = ({ readAt }: PinnedSnapshot, oracle: Address, key: PoolKey) =>
  readAt(ORACLE, oracle, "observationCoverageOf", [asArgument(key)], Uint256)

const SignedInteger = Schema.String.pipe(Schema.pattern(/^-?[0-9]{1,78}$/))

const Observed = Schema.Struct({
  tickCumulatives: Schema.Tuple(SignedInteger, SignedInteger),
  secondsPerLiquidityCumulativeX128s: Schema.Tuple(SignedInteger, SignedInteger)
})

/** From so many seconds ago until now. */
export const readObservations = (
  { readAt }: PinnedSnapshot,
  oracle: Address,
  key: PoolKey,
  seconds: string
) =>
  Effect.map(
    readAt(ORACLE, oracle, "observe", [asArgument(key), [seconds, "0"]], Observed),
    ({ tickCumulatives: [c0, c1], secondsPerLiquidityCumulativeX128s: [s0, s1] }): Observations => ({
      tickCumulatives: [BigInt(c0), BigInt(c1)],
      secondsPerLiquidityCumulativeX128s: [BigInt(s0), BigInt(s1)]
    })
  )

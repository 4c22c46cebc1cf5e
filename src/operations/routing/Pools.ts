/** Where a Uniswap v4 PoolManager keeps the state of a pool, and what its words say. */
import { encodeAbiParameters } from "viem"
import { hashOfEncoded, type PoolKey } from "../../protocol/PoolIds.ts"
import { type Bytes32, ZERO_ADDRESS } from "../../values/Scalars.ts"

export interface PoolState {
  readonly sqrtPriceX96: bigint
  readonly tick: number
  readonly liquidity: bigint
}

/** `mapping(PoolId => Pool.State) _pools` of v4-core's PoolManager; its StateLibrary publishes both numbers. */
const POOLS_SLOT = 6n
const LIQUIDITY_OFFSET = 3n

const WORD = { type: "bytes32" } as const
const NUMBER = { type: "uint256" } as const

export const stateSlotOf = (poolId: Bytes32): Bytes32 =>
  hashOfEncoded(encodeAbiParameters([WORD, NUMBER], [poolId, POOLS_SLOT]))

export const liquiditySlotOf = (poolId: Bytes32): Bytes32 =>
  `0x${(BigInt(stateSlotOf(poolId)) + LIQUIDITY_OFFSET).toString(16).padStart(64, "0")}`

/** A hook answers the empty key where no pool was chosen. */
export const isEmptyKey = ({ currency0, currency1, tickSpacing }: PoolKey): boolean =>
  currency0 === ZERO_ADDRESS && currency1 === ZERO_ADDRESS && tickSpacing === 0

/** From the word of slot 0, whose higher bits are fees, and the word of the liquidity. */
export const poolStateOf = (slot0: Bytes32, liquidity: Bytes32): PoolState => {
  const word = BigInt(slot0)
  return {
    sqrtPriceX96: BigInt.asUintN(160, word),
    tick: Number(BigInt.asIntN(24, word >> 160n)),
    liquidity: BigInt.asUintN(128, BigInt(liquidity))
  }
}

/** Where a Uniswap v4 PoolManager keeps the state of a pool, and what its words say. */
import { type Hex as Bytes, encodeAbiParameters } from "viem"
import { keccak256 } from "../../values/Keccak.ts"
import { type Address, type Bytes32, ZERO_ADDRESS } from "../../values/Scalars.ts"

export interface PoolKey {
  readonly currency0: Address
  readonly currency1: Address
  readonly fee: number
  readonly tickSpacing: number
  readonly hooks: Address
}

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

const KEY = [
  { type: "address" },
  { type: "address" },
  { type: "uint24" },
  { type: "int24" },
  { type: "address" }
] as const

const hashed = (encoded: Bytes): Bytes32 => keccak256(Buffer.from(encoded.slice(2), "hex"))

export const poolIdOf = ({ currency0, currency1, fee, tickSpacing, hooks }: PoolKey): Bytes32 =>
  hashed(encodeAbiParameters(KEY, [currency0, currency1, fee, tickSpacing, hooks]))

export const stateSlotOf = (poolId: Bytes32): Bytes32 =>
  hashed(encodeAbiParameters([WORD, NUMBER], [poolId, POOLS_SLOT]))

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

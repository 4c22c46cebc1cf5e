/** How Uniswap v4 names a pool. */
import { type Hex as Bytes, encodeAbiParameters } from "viem"
import { keccak256 } from "../values/Keccak.ts"
import { type Address, type Bytes32, ZERO_ADDRESS } from "../values/Scalars.ts"

/** The zero address stands for the native token; the currencies ascend. */
export interface PoolKey {
  readonly currency0: Address
  readonly currency1: Address
  readonly fee: number
  readonly tickSpacing: number
  readonly hooks: Address
}

const NATIVE_TOKEN: Address = "0x000000000000000000000000000000000000EEEe"

/** As pools and buyback hooks keep it: hooks take the native token by either name but answer only by the zero address. */
export const currencyOf = (token: Address): Address => (token === NATIVE_TOKEN ? ZERO_ADDRESS : token)

const KEY = [
  { type: "address" },
  { type: "address" },
  { type: "uint24" },
  { type: "int24" },
  { type: "address" }
] as const

export const hashOfEncoded = (encoded: Bytes): Bytes32 => keccak256(Buffer.from(encoded.slice(2), "hex"))

export const poolIdOf = ({ currency0, currency1, fee, tickSpacing, hooks }: PoolKey): Bytes32 =>
  hashOfEncoded(encodeAbiParameters(KEY, [currency0, currency1, fee, tickSpacing, hooks]))

/** What a wallet is told to call: one call, or several of which each must succeed. */
import type { Address, Hex } from "./Scalars.ts"

export interface WalletCall {
  readonly to: Address
  readonly value: bigint
  readonly data: Hex
}

export const MAXIMUM_WALLET_CALLS = 16

/** `execute(bytes32 mode, bytes execution)`. */
const EXECUTE = "e9ae5c53"

/** Call type and execution type, of which the latter is zero: whatever reverts takes all with it. */
const ONE = "00".repeat(32)
const SEVERAL = `01${"00".repeat(31)}`

const digits = (hex: string): string => hex.slice(2).toLowerCase()
const uint = (value: number | bigint): string => {
  const text = value.toString(16).padStart(64, "0")
  if (text.length > 64 || value < 0) throw new RangeError("not an integer of 256 bits")
  return text
}

/** The length of a text of hexadecimal digits in bytes, and the text filled up to whole words. */
const bytes = (text: string): string =>
  uint(text.length / 2) + text.padEnd(Math.ceil(text.length / 64) * 64, "0")

const alone = ({ to, value, data }: WalletCall): string => digits(to) + uint(value) + digits(data)

const inSeveral = ({ to, value, data }: WalletCall): string =>
  [digits(to).padStart(64, "0"), uint(value), uint(96), bytes(digits(data))].join("")

const all = (calls: ReadonlyArray<WalletCall>): string => {
  const tuples = calls.map(inSeveral)
  const offsets = tuples.map((_, index) => {
    const before = tuples.slice(0, index).reduce((length, tuple) => length + tuple.length / 2, 0)
    return uint(32 * calls.length + before)
  })
  return [uint(32), uint(calls.length), ...offsets, ...tuples].join("")
}

export const executionCalldata = (calls: ReadonlyArray<WalletCall>): Hex => {
  const [first, ...others] = calls
  if (first === undefined || calls.length > MAXIMUM_WALLET_CALLS)
    throw new RangeError(`not 1 to ${MAXIMUM_WALLET_CALLS} calls`)
  const [mode, execution] = others.length === 0 ? [ONE, alone(first)] : [SEVERAL, all(calls)]
  return `0x${EXECUTE}${mode}${uint(64)}${bytes(execution)}`
}

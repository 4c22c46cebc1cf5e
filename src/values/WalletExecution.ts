/** What a wallet is told to call: one call, or several of which each must succeed. */
import { digitsOf, encodedMembers, tailOfBytes, tailOfList, tailOfMembers, word } from "./AbiWords.ts"
import type { Address, Hex } from "./Scalars.ts"

export interface WalletCall {
  readonly to: Address
  readonly value: bigint
  readonly data: Hex
}

export const MAXIMUM_WALLET_CALLS = 16

/** `execute(bytes32 mode, bytes execution)`. */
const EXECUTE = "0xe9ae5c53"

/** Call type and execution type, of which the latter is zero: whatever reverts takes all with it. */
const ONE = "00".repeat(32)
const SEVERAL = `01${"00".repeat(31)}`

const alone = ({ to, value, data }: WalletCall): string => digitsOf(to) + word(value) + digitsOf(data)

const inSeveral = ({ to, value, data }: WalletCall) =>
  tailOfMembers([word(to), word(value), tailOfBytes(digitsOf(data))])

export const executionCalldata = (calls: ReadonlyArray<WalletCall>): Hex => {
  const [first, ...others] = calls
  if (first === undefined || calls.length > MAXIMUM_WALLET_CALLS)
    throw new RangeError(`not 1 to ${MAXIMUM_WALLET_CALLS} calls`)
  const [mode, execution] =
    others.length === 0 ? [ONE, alone(first)] : [SEVERAL, encodedMembers([tailOfList(calls.map(inSeveral))])]
  return `${EXECUTE}${encodedMembers([mode, tailOfBytes(execution)])}`
}

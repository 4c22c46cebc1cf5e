/** What a wallet is told to call: one call, or several of which each must succeed. */
import { encodeAbiParameters, encodeFunctionData, encodePacked, parseAbi } from "viem"
import type { Address, Hex } from "../values/Scalars.ts"

export interface WalletCall {
  readonly to: Address
  readonly value: bigint
  readonly data: Hex
}

export const MAXIMUM_WALLET_CALLS = 16

const executeAbi = parseAbi(["function execute(bytes32 mode, bytes execution)"])

/** Call type and execution type, of which the latter is zero: whatever reverts takes all with it. */
const ONE: Hex = `0x${"00".repeat(32)}`
const SEVERAL: Hex = `0x01${"00".repeat(31)}`

const SEVERAL_CALLS = [
  {
    type: "tuple[]",
    components: [
      { name: "to", type: "address" },
      { name: "value", type: "uint256" },
      { name: "data", type: "bytes" }
    ]
  }
] as const

export const executionCalldata = (calls: ReadonlyArray<WalletCall>): Hex => {
  const [first, ...others] = calls
  if (first === undefined || calls.length > MAXIMUM_WALLET_CALLS)
    throw new RangeError(`not 1 to ${MAXIMUM_WALLET_CALLS} calls`)
  const { to, value, data } = first
  return encodeFunctionData({
    abi: executeAbi,
    args:
      others.length === 0
        ? [ONE, encodePacked(["address", "uint256", "bytes"], [to, value, data])]
        : [SEVERAL, encodeAbiParameters(SEVERAL_CALLS, [calls])]
  })
}

/** The calls of a forwarder that the provider carries. */
import { type Address, decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from "viem"

const forwarderAbi = parseAbi([
  "struct Request { address from; address to; uint256 value; uint256 gas; uint48 deadline; bytes data; bytes signature; }",
  "function execute(Request request) payable",
  "function executeBatch(Request[] requests, address refundReceiver) payable"
])

/** What the provider reads of a request; the rest it carries. */
export interface Execution {
  readonly value: bigint
  readonly gas: bigint
  readonly deadline: number
}

const decoded = (data: Hex) => {
  const { functionName, args } = decodeFunctionData({ abi: forwarderAbi, data })
  if (functionName !== "execute") throw new Error("data is no call of execute")
  return args[0]
}

/** Fails where the calldata is not exactly that of one `execute`. */
export const executionOf = (data: Hex): Execution => {
  const request = decoded(data)
  const again = encodeFunctionData({ abi: forwarderAbi, functionName: "execute", args: [request] })
  if (again !== data) throw new Error("data is not encoded canonically")
  return request
}

/** A 64th stays with the caller, and the forwarder works before and after the call inside. */
export const outerGas = ({ gas }: Execution): bigint => gas + gas / 63n + 100_000n

export const batchData = (calls: ReadonlyArray<Hex>, refundReceiver: Address): Hex =>
  encodeFunctionData({
    abi: forwarderAbi,
    functionName: "executeBatch",
    args: [calls.map(decoded), refundReceiver]
  })

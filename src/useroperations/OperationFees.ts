/** What an operation bids for its gas: enough for the chain as it is, and for its bundler. */
import { Effect, Option } from "effect"
import type { Read } from "../chain/ChainClient.ts"
import { decodeAs, Quantity } from "../chain/Wire.ts"
import { Settings } from "../settings/Settings.ts"
import type { BundlerFees } from "./BundlerWire.ts"
import { UserOperationFeeBound } from "./refusals.ts"

export interface OperationFees {
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** Many nodes have it, and those that have not say nothing by that. */
export const nodePriority: Read<bigint> = {
  method: "eth_maxPriorityFeePerGas",
  params: [],
  decode: decodeAs(Quantity),
  onNodeError: () => 0n
}

const largest = (one: bigint, other: bigint): bigint => (one > other ? one : other)

/** The base fee may double until the operation is executed. */
export const feesOver = (
  baseFee: bigint,
  priority: bigint,
  bundlers: Option.Option<BundlerFees>
): OperationFees => {
  const asked = Option.getOrElse(bundlers, () => ({ maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }))
  const maxPriorityFeePerGas = largest(priority, asked.maxPriorityFeePerGas)
  return {
    maxPriorityFeePerGas,
    maxFeePerGas: largest(2n * baseFee + maxPriorityFeePerGas, asked.maxFeePerGas)
  }
}

export const checkFees = Effect.fnUntraced(function* ({ maxFeePerGas }: OperationFees) {
  const { maximumFeePerGas } = (yield* Settings).plans
  if (maxFeePerGas > maximumFeePerGas)
    return yield* new UserOperationFeeBound({
      context: { maxFeePerGas: String(maxFeePerGas), maximum: String(maximumFeePerGas) }
    })
})

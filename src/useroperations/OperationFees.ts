/** What an operation bids for its gas: enough for the chain as it is, and for its bundler. */
import { Effect, Option } from "effect"
import type { Read } from "../chain/ChainClient.ts"
import { decodeAs, Quantity } from "../chain/Wire.ts"
import { Settings } from "../settings/Settings.ts"
import type { BundlerFees } from "./BundlerWire.ts"
import { SessionCallRefused, UserOperationFeeBound } from "./refusals.ts"

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

/** So that the base fee may double until the operation is executed. */
const RISE = 2n

export const feesOver = (
  baseFee: bigint,
  priority: bigint,
  bundlers: Option.Option<BundlerFees>,
  rise: bigint = RISE
): OperationFees => {
  const asked = Option.getOrElse(bundlers, () => ({ maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }))
  const maxPriorityFeePerGas = largest(priority, asked.maxPriorityFeePerGas)
  return {
    maxPriorityFeePerGas,
    maxFeePerGas: largest(rise * baseFee + maxPriorityFeePerGas, asked.maxFeePerGas)
  }
}

const OF_ONE_OPERATION = 26

/** The room for a base fee that rises is what gives way to a session's limits. */
export const feesWithin = Effect.fnUntraced(function* (
  fees: OperationFees,
  baseFee: bigint,
  bundlers: Option.Option<BundlerFees>,
  { maxFeePerGas, maxPriorityFeePerGas }: OperationFees
) {
  const least = feesOver(baseFee, fees.maxPriorityFeePerGas, bundlers, 1n)
  const within: OperationFees = {
    ...fees,
    maxFeePerGas: fees.maxFeePerGas > maxFeePerGas ? maxFeePerGas : fees.maxFeePerGas
  }
  if (within.maxFeePerGas >= least.maxFeePerGas && fees.maxPriorityFeePerGas <= maxPriorityFeePerGas)
    return within
  return yield* new SessionCallRefused({
    context: {
      rule: OF_ONE_OPERATION,
      maxFeePerGas: String(least.maxFeePerGas),
      maxPriorityFeePerGas: String(fees.maxPriorityFeePerGas)
    }
  })
})

export const checkFees = Effect.fnUntraced(function* ({ maxFeePerGas }: OperationFees) {
  const { maximumFeePerGas } = (yield* Settings).plans
  if (maxFeePerGas > maximumFeePerGas)
    return yield* new UserOperationFeeBound({
      context: { maxFeePerGas: String(maxFeePerGas), maximum: String(maximumFeePerGas) }
    })
})

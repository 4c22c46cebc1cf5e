/** A planned call as the fields of the transaction that carries it. */
import type { Call } from "../../src/plans/Plan.ts"

export const plannedTransaction = (
  call: Pick<Call, "chainId" | "to" | "data" | "value">,
  nonce: number,
  tip = 1_000_000_000n
) =>
  ({
    type: "eip1559",
    chainId: call.chainId,
    to: call.to,
    data: call.data,
    value: BigInt(call.value),
    nonce,
    gas: 1_000_000n,
    maxFeePerGas: 100_000_000_000n,
    maxPriorityFeePerGas: tip
  }) as const

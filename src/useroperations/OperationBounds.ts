/** How much gas an operation may carry, and what it may cost with all that its calls send. */
import { Effect } from "effect"
import { PlanTooLarge } from "../plans/refusals.ts"
import { Settings } from "../settings/Settings.ts"
import { maximumCostOf } from "../values/PackedOperation.ts"
import type { Hex } from "../values/Scalars.ts"
import { MAXIMUM_OPERATION_CALLDATA_BYTES, type UserOperation } from "../values/UserOperation.ts"
import { UserOperationCostBound, UserOperationGasBound } from "./refusals.ts"

export const bytesOf = (hex: Hex): number => (hex.length - 2) / 2

export const checkCalldata = (callData: Hex): Effect.Effect<void, PlanTooLarge> =>
  bytesOf(callData) > MAXIMUM_OPERATION_CALLDATA_BYTES
    ? Effect.fail(new PlanTooLarge({ context: { limitBytes: MAXIMUM_OPERATION_CALLDATA_BYTES } }))
    : Effect.void

/** The state that calls and signatures are judged by changes until an operation is included. */
export const gasMargin = (estimated: bigint): bigint => (estimated * 12n) / 10n + 25_000n

const ofPaymaster = (operation: UserOperation) =>
  "paymaster" in operation
    ? {
        paymasterVerification: operation.paymasterVerificationGasLimit,
        paymasterPostOp: operation.paymasterPostOpGasLimit
      }
    : { paymasterVerification: "0x0", paymasterPostOp: "0x0" }

const checkGas = Effect.fnUntraced(function* (operation: UserOperation) {
  const { maximumGas } = (yield* Settings).userOperations
  const gas = {
    call: operation.callGasLimit,
    verification: operation.verificationGasLimit,
    preVerification: operation.preVerificationGas,
    ...ofPaymaster(operation)
  }
  const bounds = [
    ["call", gas.call, maximumGas.call],
    ["verification", gas.verification, maximumGas.verification],
    ["preVerification", gas.preVerification, maximumGas.preVerification],
    ["paymasterVerification", gas.paymasterVerification, maximumGas.paymasterVerification],
    ["paymasterPostOp", gas.paymasterPostOp, maximumGas.paymasterPostOp]
  ] as const
  const over = bounds.find(([, needed, maximum]) => BigInt(needed) > maximum)
  if (over === undefined) return
  const [kind, needed, maximum] = over
  return yield* new UserOperationGasBound({
    context: { kind, gas: String(BigInt(needed)), maximum: String(maximum) }
  })
})

export const checkBounds = Effect.fnUntraced(function* (operation: UserOperation, value: bigint) {
  yield* checkGas(operation)
  const { maximumTransactionCost } = (yield* Settings).plans
  const cost = maximumCostOf(operation) + value
  if (cost > maximumTransactionCost)
    return yield* new UserOperationCostBound({
      context: { cost: String(cost), maximum: String(maximumTransactionCost) }
    })
})

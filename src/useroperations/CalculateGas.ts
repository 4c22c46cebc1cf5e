/** How much gas a session's operation needs where no bundler estimates it: of the calls its node says it, all else is calculated. */
import { Effect } from "effect"
import { gasEstimate } from "../chain/PinnedReads.ts"
import { RpcUnavailable } from "../chain/refusals.ts"
import type { Hex } from "../values/Scalars.ts"
import { fromHex } from "../values/TypedDataHash.ts"
import type { UserOperation } from "../values/UserOperation.ts"
import type { GasEstimation } from "./BundlerWire.ts"
import { bundleCall } from "./HandleOps.ts"
import { gasMargin } from "./OperationBounds.ts"
import type { OperationDraft } from "./OperationDraft.ts"
import { refuseFailedCalls } from "./RefuseFailedCalls.ts"
import type { OperatedSession } from "./SessionGate.ts"

/** As measured of the guard, whose work grows with its policy. */
const VERIFICATION_GAS = 260_000n
const VERIFICATION_GAS_A_BYTE = 40n
export const calculatedVerification = (policyBytes: number): bigint =>
  VERIFICATION_GAS + VERIFICATION_GAS_A_BYTE * BigInt(policyBytes)

/** Of a transaction, and of the entry point for each operation. */
const BUNDLE_GAS = 21_000n + 18_300n
const ZERO_BYTE_GAS = 4n
const BYTE_GAS = 16n
const PAYMASTER_GAS = { paymasterVerificationGasLimit: 150_000n, paymasterPostOpGasLimit: 50_000n }

const calldataGas = (data: Hex): bigint =>
  fromHex(data).reduce((sum, byte) => sum + (byte === 0 ? ZERO_BYTE_GAS : BYTE_GAS), 0n)

/** What a chain adds for its own records, nobody but a bundler can tell. */
const preVerificationGas = ({ place }: OperationDraft, operation: UserOperation): bigint => {
  const { data } = bundleCall(
    { ...place, operation, operationHash: `0x${"00".repeat(32)}` },
    operation.sender
  )
  return gasMargin(BUNDLE_GAS + calldataGas(data))
}

const callGas = Effect.fnUntraced(function* (draft: OperationDraft, { sender, callData }: UserOperation) {
  const { ground, place, calls } = draft
  const request = { from: place.entryPoint, to: sender, data: callData }
  const [estimate] = yield* ground.session.all([gasEstimate(request, ground.block.hash)])
  if (estimate._tag === "Estimated") return gasMargin(estimate.gas)
  return estimate._tag === "Reverted"
    ? yield* refuseFailedCalls(ground, calls)
    : yield* new RpcUnavailable({ detail: "The chain's node refused to estimate the call." })
})

export const calculatedGas = Effect.fn("CalculateGas.calculate")(function* (
  draft: OperationDraft,
  { policyBytes }: OperatedSession,
  operation: UserOperation
) {
  const gas: GasEstimation = {
    callGasLimit: yield* callGas(draft, operation),
    verificationGasLimit: calculatedVerification(policyBytes),
    preVerificationGas: preVerificationGas(draft, operation),
    ...("paymaster" in operation ? PAYMASTER_GAS : {})
  }
  return gas
})

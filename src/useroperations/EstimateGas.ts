/** How much gas an operation needs, as its bundler estimates it. */
import { Effect } from "effect"
import type { Hex } from "../values/Scalars.ts"
import type { UserOperation } from "../values/UserOperation.ts"
import { Bundler, refusesOperation } from "./Bundler.ts"
import { isRefused } from "./BundlerEndpoint.ts"
import type { GasEstimation } from "./BundlerWire.ts"
import { calculatedGas } from "./CalculateGas.ts"
import { gasMargin } from "./OperationBounds.ts"
import type { OperationDraft } from "./OperationDraft.ts"
import { refuseFailedCalls } from "./RefuseFailedCalls.ts"
import type { RpcRefusal } from "./RpcExchange.ts"
import { UserOperationRefused } from "./refusals.ts"
import type { OperatedSession } from "./SessionGate.ts"

/** What the entry point says of a wallet that does not pay beforehand, or that fails when it is to. */
const UNPAID = ["AA21", "AA23"]
/** What a wallet that pays needs beyond one that is not asked to. */
const PAYING_GAS = 50_000n
const UNVALIDATED = "AA23"
/** By ERC-7769: the operation is valid, and what it executes reverts. */
const EXECUTION_REVERTED = -32_521
/** As long as a real one, and nobody's. */
export const NOBODYS_SIGNATURE: Hex = `0x${"11".repeat(64)}1b`

const withMargin = ({ callGasLimit, verificationGasLimit, ...others }: GasEstimation): GasEstimation => ({
  ...others,
  callGasLimit: gasMargin(callGasLimit),
  verificationGasLimit: gasMargin(verificationGasLimit)
})

/** By a policy without ceilings, which the guard is made to take for the enabled one for this answer alone. */
const asEstimated = (operated: OperatedSession | undefined, operation: UserOperation) => {
  if (operated === undefined) return { operation }
  const { signaturePrefix, stateOverride } = operated.estimation
  const signature: Hex = `${signaturePrefix}${NOBODYS_SIGNATURE.slice(2)}`
  return { operation: { ...operation, signature }, stateOverride }
}

const ask = ({ place, use }: OperationDraft, operation: UserOperation) =>
  Effect.flatMap(Bundler, ({ estimate }) => estimate({ ...place, ...asEstimated(use?.operated, operation) }))

/** Whether it did not do as it was told; what the guard itself would refuse was refused before. */
const isUnheeded = (refusal: RpcRefusal): boolean =>
  !refusesOperation(refusal) || refusal.reason === UNVALIDATED

const withoutAnswer = Effect.fnUntraced(function* (
  draft: OperationDraft,
  operation: UserOperation,
  refusal: RpcRefusal
) {
  const { use, ground, calls } = draft
  if (use !== undefined && isUnheeded(refusal)) return yield* calculatedGas(draft, use.operated, operation)
  const { code, reason, revert = "0x" } = refusal
  const refused = new UserOperationRefused({ context: { ...(reason && { reason }), revert } })
  if (reason !== undefined) return yield* refused
  return yield* refuseFailedCalls(ground, calls, code === EXECUTION_REVERTED ? undefined : refused)
})

export const estimatedGas = Effect.fnUntraced(function* (draft: OperationDraft, operation: UserOperation) {
  const estimation = yield* ask(draft, operation)
  return isRefused(estimation) ? yield* withoutAnswer(draft, operation, estimation) : withMargin(estimation)
})

/** Of a wallet that perhaps cannot pay for what a bundler tries, as if its gas were for nothing. */
export const estimatedUnpaidGas = Effect.fnUntraced(function* (
  draft: OperationDraft,
  operation: UserOperation
) {
  const estimation = yield* ask(draft, operation)
  if (!isRefused(estimation)) return withMargin(estimation)
  const { reason } = estimation
  if (reason === undefined || !UNPAID.includes(reason))
    return yield* withoutAnswer(draft, operation, estimation)
  const unpaid = yield* ask(draft, { ...operation, maxFeePerGas: "0x0", maxPriorityFeePerGas: "0x0" })
  if (isRefused(unpaid)) return yield* withoutAnswer(draft, operation, unpaid)
  return withMargin({ ...unpaid, verificationGasLimit: unpaid.verificationGasLimit + PAYING_GAS })
})

/** The operation itself: what the wallet is told to call, with gas that its bundler estimates, fees, and who pays. */
import { Effect, type Option } from "effect"
import { RpcUnavailable } from "../chain/refusals.ts"
import { quantity } from "../chain/Wire.ts"
import type { Call } from "../plans/Plan.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import { ownerEnvelope } from "../values/OwnerEnvelope.ts"
import { maximumCostOf, type OperationPlace } from "../values/PackedOperation.ts"
import type { OperationValidity } from "../values/SafeOperation.ts"
import type { Address, Hex } from "../values/Scalars.ts"
import type { UserOperation } from "../values/UserOperation.ts"
import { executionCalldata } from "../values/WalletExecution.ts"
import { Bundler } from "./Bundler.ts"
import { isRefused } from "./BundlerEndpoint.ts"
import type { BundlerFees, GasEstimation } from "./BundlerWire.ts"
import { checkBounds, checkCalldata } from "./OperationBounds.ts"
import { checkFees, feesOver } from "./OperationFees.ts"
import type { OperationGround } from "./OperationGround.ts"
import { Paymaster } from "./Paymaster.ts"
import { lastWord, paidBy, stubOf } from "./QuotePaymaster.ts"
import { refuseFailedCalls } from "./RefuseFailedCalls.ts"
import type { RpcRefusal } from "./RpcExchange.ts"
import { UserOperationFundingRequired, UserOperationRefused } from "./refusals.ts"

const LIFETIME_SECONDS = 300
const PAST_SECONDS = 30n
/** What the entry point says of a wallet that does not pay beforehand, or that fails when it is to. */
const UNPAID = ["AA21", "AA23"]
/** What a wallet that pays needs beyond one that is not asked to. */
const PAYING_GAS = 50_000n
/** As long as a real one, and nobody's. */
const NOBODYS: Hex = `0x${"11".repeat(64)}1b`
/** So few bits of an operation's id make two that are else alike differ in their hash. */
const DISTINCT_DIGITS = 3

export interface OperationDraft {
  readonly id: string
  readonly place: OperationPlace
  readonly plan: StoredPlan
  readonly calls: ReadonlyArray<Call>
  readonly ground: OperationGround
  readonly fees: Option.Option<BundlerFees>
}

const valueOf = (calls: ReadonlyArray<Call>): bigint =>
  calls.reduce((sum, { value }) => sum + BigInt(value), 0n)

/** Bundlers and the service go by their own clocks, the chain by its own. */
const validityOf = (
  { expiresAt, now }: StoredPlan,
  { timestamp }: OperationGround["block"]
): Effect.Effect<OperationValidity, RpcUnavailable> => {
  const validUntil = Math.floor(Math.min(expiresAt, now + LIFETIME_SECONDS * 1000) / 1000)
  if (BigInt(validUntil) <= timestamp)
    return new RpcUnavailable({ detail: "The chain's time is ahead of the time to send the operation." })
  return Effect.succeed({ validAfter: Number(timestamp - PAST_SECONDS), validUntil })
}

const standIn = (validity: OperationValidity, owners: ReadonlyArray<Address>, threshold: number): Hex =>
  ownerEnvelope(
    validity,
    owners.slice(0, threshold).map(signer => ({ signer, signature: NOBODYS }))
  )

const unfunded = ({ ground, calls }: OperationDraft, cost: bigint) => {
  const [required, available] = [cost + valueOf(calls), ground.deposit + ground.balance]
  const amounts = { required, available, missing: required > available ? required - available : 0n }
  return new UserOperationFundingRequired({
    context: Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, String(amount)]))
  })
}

const refuseEstimation = ({ ground, calls }: OperationDraft, { reason, revert = "0x" }: RpcRefusal) =>
  reason === undefined
    ? refuseFailedCalls(ground, calls)
    : Effect.fail(new UserOperationRefused({ context: { reason, revert } }))

const estimated = Effect.fnUntraced(function* (draft: OperationDraft, operation: UserOperation) {
  const estimation = yield* (yield* Bundler).estimate({ ...draft.place, operation })
  return isRefused(estimation) ? yield* refuseEstimation(draft, estimation) : estimation
})

/** Of a wallet that perhaps cannot pay for what a bundler tries, as if its gas were for nothing. */
const estimatedUnpaid = Effect.fnUntraced(function* (draft: OperationDraft, operation: UserOperation) {
  const { estimate } = yield* Bundler
  const estimation = yield* estimate({ ...draft.place, operation })
  if (!isRefused(estimation)) return estimation
  const { reason } = estimation
  if (reason === undefined || !UNPAID.includes(reason)) return yield* refuseEstimation(draft, estimation)
  const free: UserOperation = { ...operation, maxFeePerGas: "0x0", maxPriorityFeePerGas: "0x0" }
  const unpaid = yield* estimate({ ...draft.place, operation: free })
  if (isRefused(unpaid)) return yield* refuseEstimation(draft, unpaid)
  return { ...unpaid, verificationGasLimit: unpaid.verificationGasLimit + PAYING_GAS }
})

/** The state that its calls and its signatures are judged by changes until the operation is included. */
const withMargin = (estimated: bigint): bigint => (estimated * 12n) / 10n + 25_000n

const withGas = (operation: UserOperation, estimation: GasEstimation, id: string): UserOperation => ({
  ...operation,
  callGasLimit: quantity(withMargin(estimation.callGasLimit)),
  verificationGasLimit: quantity(
    withMargin(estimation.verificationGasLimit) + BigInt(`0x${id.slice(0, DISTINCT_DIGITS)}`)
  ),
  preVerificationGas: quantity(estimation.preVerificationGas)
})

/** The wallet pays: with what the entry point holds for it, and with what it has beside what its calls send. */
const selfFunded = Effect.fnUntraced(function* (draft: OperationDraft, bare: UserOperation) {
  const { deposit, balance } = draft.ground
  const value = valueOf(draft.calls)
  if (balance < value) return yield* unfunded(draft, 0n)
  const operation = withGas(bare, yield* estimatedUnpaid(draft, bare), draft.id)
  const cost = maximumCostOf(operation)
  if (deposit + balance < cost + value) return yield* unfunded(draft, cost)
  return operation
})

const paid = Effect.fnUntraced(function* (
  draft: OperationDraft,
  bare: UserOperation,
  service: NonNullable<ReturnType<typeof Paymaster.Service.of>>
) {
  const { place, ground } = draft
  const stub = yield* stubOf(service, ground.wallet.manifest, place, bare)
  const estimation = yield* estimated(draft, paidBy(bare, stub))
  const whole = paidBy(withGas(bare, estimation, draft.id), stub, estimation)
  return stub.isFinal === true ? whole : yield* lastWord(service, place, whole)
})

export const draftedOperation = Effect.fn("DraftOperation.draft")(function* (draft: OperationDraft) {
  const { place, plan, calls, ground, fees: bundlers } = draft
  const { wallet, nonce, block } = ground
  const callData = executionCalldata(calls.map(({ to, value, data }) => ({ to, value: BigInt(value), data })))
  yield* checkCalldata(callData)
  const fees = feesOver(block.baseFee, ground.priority, bundlers)
  yield* checkFees(fees)
  const validity = yield* validityOf(plan, block)
  const { owners, threshold } = wallet.inspection.state
  const bare: UserOperation = {
    sender: wallet.address,
    nonce: quantity(nonce),
    callData,
    callGasLimit: "0x0",
    verificationGasLimit: "0x0",
    preVerificationGas: "0x0",
    maxFeePerGas: quantity(fees.maxFeePerGas),
    maxPriorityFeePerGas: quantity(fees.maxPriorityFeePerGas),
    signature: standIn(validity, owners, threshold)
  }
  const service = (yield* Paymaster).of(place.chainId)
  const whole = yield* service === undefined ? selfFunded(draft, bare) : paid(draft, bare, service)
  const operation: UserOperation = { ...whole, signature: "0x" }
  yield* checkBounds(operation, valueOf(calls))
  const gasPolicyId = service === undefined ? "self-funded" : `paymaster:${place.chainId}`
  return { operation, validity, gasPolicyId }
})

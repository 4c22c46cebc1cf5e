/** The operation itself: what the wallet is told to call, with gas that its bundler estimates, fees, and who pays. */
import { Array, Effect } from "effect"
import { quantity } from "../chain/Wire.ts"
import type { BoundWallet } from "../smartaccounts/BoundWallet.ts"
import { ownerEnvelope } from "../values/OwnerEnvelope.ts"
import { maximumCostOf, operationHash } from "../values/PackedOperation.ts"
import type { OperationValidity } from "../values/SafeOperation.ts"
import type { Hex } from "../values/Scalars.ts"
import type { UserOperation } from "../values/UserOperation.ts"
import type { GasEstimation } from "./BundlerWire.ts"
import { contractStandIn } from "./ContractSigned.ts"
import { estimatedGas, estimatedUnpaidGas, NOBODYS_SIGNATURE } from "./EstimateGas.ts"
import { checkBounds, checkCalldata } from "./OperationBounds.ts"
import { calldataOf, type OperationDraft, valueOf } from "./OperationDraft.ts"
import { checkFees, feesOver, feesWithin } from "./OperationFees.ts"
import { operationTimes } from "./OperationTimes.ts"
import { paidUntil } from "./PaidUntil.ts"
import { Paymaster } from "./Paymaster.ts"
import { lastWord, paidBy, stubOf } from "./QuotePaymaster.ts"
import { PaymasterUnavailable, unfunded } from "./refusals.ts"

/** So few bits of an operation's id make two that are else alike differ in their hash. */
const DISTINCT_DIGITS = 3

const ownersStandIn = (
  { manifest, inspection: { state } }: BoundWallet,
  validity: OperationValidity
): Hex => {
  const signers = state.owners.slice(0, state.threshold)
  return (
    contractStandIn(state, manifest, validity) ??
    ownerEnvelope(
      validity,
      signers.map(signer => ({ signer, signature: NOBODYS_SIGNATURE }))
    )
  )
}

const standIn = ({ use, ground }: OperationDraft, validity: OperationValidity): Hex =>
  use === undefined
    ? ownersStandIn(ground.wallet, validity)
    : `${use.operated.signaturePrefix}${NOBODYS_SIGNATURE.slice(2)}`

const withGas = (
  operation: UserOperation,
  gas: GasEstimation,
  { ground }: OperationDraft,
  beside: bigint
): UserOperation => ({
  ...operation,
  callGasLimit: quantity(gas.callGasLimit),
  verificationGasLimit: quantity(gas.verificationGasLimit + ground.signingGas + beside),
  preVerificationGas: quantity(gas.preVerificationGas)
})

/** Whatever its signature and its gas will be. */
const checkSession = ({ ground: { sight }, place }: OperationDraft, operation: UserOperation) =>
  sight === undefined ? Effect.void : sight.checkOperation(operation, operationHash(operation, place))

/** Differs from others by as much gas as its session and an operation's bounds have left for that. */
const distinct = Effect.fnUntraced(function* <A extends UserOperation>(
  draft: OperationDraft,
  made: (beside: bigint) => A
) {
  const value = valueOf(draft.calls)
  const drawn = BigInt(`0x${draft.id.slice(0, DISTINCT_DIGITS)}`)
  const fitting = Effect.fnUntraced(function* (operation: A) {
    yield* checkBounds(operation, value)
    yield* checkSession(draft, operation)
    return operation
  })
  const cut = Array.makeBy(DISTINCT_DIGITS, digits => fitting(made(drawn >> BigInt(4 * digits))))
  return yield* Effect.firstSuccessOf(cut).pipe(Effect.orElseSucceed(() => made(0n)))
})

/** The wallet pays: with what the entry point holds for it, and with what it has beside what its calls send. */
const CALLS_ALONE =
  "The wallet has not what its calls send; context.required is that alone, and gas comes on top of it."

const selfFunded = Effect.fnUntraced(function* (draft: OperationDraft, bare: UserOperation) {
  const { deposit, balance } = draft.ground
  const value = valueOf(draft.calls)
  if (balance < value) return yield* unfunded(value, balance, CALLS_ALONE)
  yield* checkSession(draft, bare)
  const gas = yield* estimatedUnpaidGas(draft, bare)
  const operation = yield* distinct(draft, beside => withGas(bare, gas, draft, beside))
  const [required, available] = [maximumCostOf(operation) + value, deposit + balance]
  if (available < required) return yield* unfunded(required, available)
  return operation
})

const paid = Effect.fnUntraced(function* (
  draft: OperationDraft,
  bare: UserOperation,
  service: NonNullable<ReturnType<typeof Paymaster.Service.of>>
) {
  const { place, ground } = draft
  const stub = yield* stubOf(service, ground.wallet.manifest, place, bare)
  const stubbed = paidBy(bare, stub)
  yield* checkSession(draft, stubbed)
  const estimation = yield* estimatedGas(draft, stubbed)
  yield* checkBounds(withGas(bare, estimation, draft, 0n), valueOf(draft.calls))
  const whole = yield* distinct(draft, beside =>
    paidBy(withGas(bare, estimation, draft, beside), stub, estimation)
  )
  return stub.isFinal === true ? whole : yield* lastWord(service, place, whole)
})

/** As the session says, if there is one; else whoever the chain has. */
const payerOf = Effect.fnUntraced(function* ({ use, place }: OperationDraft) {
  const service = (yield* Paymaster).of(place.chainId)
  if (use === undefined) return service
  if (use.operated.paymaster === undefined) return undefined
  return service ?? (yield* new PaymasterUnavailable())
})

const feesOf = Effect.fnUntraced(function* ({ ground, fees: bundlers, use }: OperationDraft) {
  const { baseFee } = ground.block
  const fees = feesOver(baseFee, ground.priority, bundlers)
  return use === undefined ? fees : yield* feesWithin(fees, baseFee, bundlers, use.operated)
})

export const draftedOperation = Effect.fn("DraftOperation.draft")(function* (draft: OperationDraft) {
  const { place, plan, calls, use, ground } = draft
  const callData = calldataOf(calls)
  yield* checkCalldata(callData)
  const fees = yield* feesOf(draft)
  yield* checkFees(fees)
  const { timestamp } = ground.block
  const timed = { plan, own: use?.operated.validity, timestamp }
  const { validity } = yield* operationTimes({ ...timed, paidUntil: Number.POSITIVE_INFINITY })
  const bare: UserOperation = {
    sender: ground.wallet.address,
    nonce: quantity(ground.nonce),
    callData,
    callGasLimit: "0x0",
    verificationGasLimit: "0x0",
    preVerificationGas: "0x0",
    maxFeePerGas: quantity(fees.maxFeePerGas),
    maxPriorityFeePerGas: quantity(fees.maxPriorityFeePerGas),
    signature: standIn(draft, validity)
  }
  const service = yield* payerOf(draft)
  const whole = yield* service === undefined ? selfFunded(draft, bare) : paid(draft, bare, service)
  const operation: UserOperation = { ...whole, signature: "0x" }
  yield* checkBounds(operation, valueOf(calls))
  yield* checkSession(draft, whole)
  const placed = { ...place, operation, operationHash: operationHash(operation, place) }
  const times = yield* operationTimes({ ...timed, paidUntil: yield* paidUntil(ground, placed) })
  const gasPolicyId = service === undefined ? "self-funded" : `paymaster:${place.chainId}`
  return { operation, ...times, gasPolicyId }
})

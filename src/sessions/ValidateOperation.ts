/** What a guard says of an operation, and what it counts. */
import { Either } from "effect"
import { recover } from "../signatures/Recover.ts"
import type { Address, Bytes32, Hex } from "../values/Scalars.ts"
import { ZERO_ADDRESS } from "../values/Scalars.ts"
import { checkCall } from "./CheckCall.ts"
import { compiledHashOf, sessionDigest } from "./Compile.ts"
import { openedEnvelope } from "./Envelope.ts"
import {
  firstBroken,
  type GuardGround,
  type GuardRecord,
  type GuardRule,
  PERMISSION_STATUS,
  type PermissionState,
  permissionIn,
  withPermission
} from "./GuardState.ts"
import { decodePolicy } from "./Policy.ts"
import type { SessionPolicy } from "./PolicyShape.ts"

export interface GuardedOperation {
  readonly sender: Address
  readonly nonce: bigint
  readonly initCode: Hex
  readonly callData: Hex
  readonly accountGasLimits: Bytes32
  readonly preVerificationGas: bigint
  readonly gasFees: Bytes32
  readonly paymasterAndData: Hex
  readonly signature: Hex
}

export interface GuardValidation {
  readonly isSigned: boolean
  readonly validAfter: number
  readonly validUntil: number
  readonly record: GuardRecord
}

const PAYMASTER_HEAD_BYTES = 52
const ADDRESS_DIGITS = 42
const HALF_BITS = 128n
const HALF_LIMIT = 1n << HALF_BITS

const halves = (word: Bytes32) => {
  const value = BigInt(word)
  return { high: value >> HALF_BITS, low: value % HALF_LIMIT }
}

const isPaidAsAgreed = (
  { codeHashOf }: GuardGround,
  { gas }: SessionPolicy,
  { paymasterAndData }: GuardedOperation
): boolean => {
  if (gas.paymaster === ZERO_ADDRESS) return paymasterAndData === "0x"
  const bytes = PAYMASTER_HEAD_BYTES + gas.paymasterDataLength
  return (
    paymasterAndData.length === 2 + 2 * bytes &&
    paymasterAndData.slice(0, ADDRESS_DIGITS) === gas.paymaster.toLowerCase() &&
    codeHashOf(gas.paymaster) === gas.paymasterCodeHash
  )
}

/** All that the operation may use, and at most cost. */
export const countedGas = ({
  accountGasLimits,
  preVerificationGas,
  paymasterAndData,
  gasFees
}: GuardedOperation) => {
  const own = halves(accountGasLimits)
  const end = 2 + 2 * PAYMASTER_HEAD_BYTES
  const paymaster = halves(
    paymasterAndData === "0x" ? "0x00" : `0x${paymasterAndData.slice(ADDRESS_DIGITS, end)}`
  )
  const { high: priority, low: fee } = halves(gasFees)
  const gas = preVerificationGas + own.high + own.low + paymaster.high + paymaster.low
  return { gas, fee, priority, cost: gas * fee }
}

const isWithinOne = ({ gas }: SessionPolicy, operation: GuardedOperation): boolean => {
  const { gas: used, fee, priority } = countedGas(operation)
  return (
    operation.preVerificationGas < HALF_LIMIT &&
    used <= BigInt(gas.maxGasPerOperation) &&
    fee <= BigInt(gas.maxFeePerGas) &&
    priority <= BigInt(gas.maxPriorityFeePerGas)
  )
}

const isWithinTotals = (
  { gas: { totalGas, totalCost } }: SessionPolicy,
  state: PermissionState,
  operation: GuardedOperation
): boolean => {
  const { gas, cost } = countedGas(operation)
  return state.gas + gas <= BigInt(totalGas) && state.cost + cost <= BigInt(totalCost)
}

const bareFault = (
  ground: GuardGround,
  policy: SessionPolicy,
  state: PermissionState,
  operation: GuardedOperation
): GuardRule | undefined =>
  firstBroken([
    [24, () => operation.initCode === "0x" && operation.nonce >> 64n === BigInt(ground.guard) << 32n],
    [25, () => isPaidAsAgreed(ground, policy, operation)],
    [26, () => isWithinOne(policy, operation)],
    [27, () => isWithinTotals(policy, state, operation)],
    [28, () => state.calls < policy.maximumCalls]
  ])

/** `caller` calls the guard; the hash is the one that the entry point knows the operation by. */
export const validateOperation = (
  ground: GuardGround,
  record: GuardRecord,
  operation: GuardedOperation,
  operationHash: Bytes32,
  caller: Address = ground.account
): Either.Either<GuardValidation, GuardRule> => {
  if (operation.sender !== caller) return Either.left(20)
  const envelope = openedEnvelope(operation.signature)
  if (envelope === undefined) return Either.left(21)
  const { permissionId, encoded, signature } = envelope
  const state = permissionIn(record, permissionId)
  if (state.status !== PERMISSION_STATUS.enabled) return Either.left(22)
  if (compiledHashOf(ground, encoded) !== state.compiledHash) return Either.left(23)
  const policy = decodePolicy(encoded)
  if (policy === undefined) return Either.left(23)
  const fault = bareFault(ground, policy, state, operation)
  if (fault !== undefined) return Either.left(fault)
  return Either.map(checkCall(ground, policy, state, operation.callData), spent => {
    const { gas, cost } = countedGas(operation)
    const counters = { calls: state.calls + 1, gas: state.gas + gas, cost: state.cost + cost, ...spent }
    return {
      isSigned: recover(sessionDigest(operationHash), signature) === state.sessionKey.toLowerCase(),
      validAfter: state.validAfter,
      validUntil: state.validUntil,
      record: withPermission(record, permissionId, counters)
    }
  })
}

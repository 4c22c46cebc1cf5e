/** The entry point's run of one operation, as a bundle of its own, and what it says of it. */
import { Either, Order, Schema } from "effect"
import { encodeFunctionData, parseAbi } from "viem"
import type { Abi } from "../catalog/Abi.ts"
import type { CallOutcome, CallRequest } from "../chain/ChainClient.ts"
import type { SimulationOutcome } from "../chain/PinnedReads.ts"
import { decodeValues } from "../protocol/AbiValues.ts"
import { decodeRevert } from "../protocol/RevertReason.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import { type OperationPlace, packedOperation } from "../values/PackedOperation.ts"
import { type Address, type Bytes32, Hex } from "../values/Scalars.ts"
import { fromHex } from "../values/TypedDataHash.ts"
import type { UserOperation } from "../values/UserOperation.ts"

export interface PlacedOperation extends OperationPlace {
  readonly operation: UserOperation
  readonly operationHash: Bytes32
}

export type OperationRun =
  | { readonly _tag: "Succeeded" }
  /** The entry point refuses the operation: nothing of it would be executed. */
  | { readonly _tag: "Refused"; readonly reason: string | undefined; readonly revert: Hex }
  /** It would be paid for, while its calls do nothing. */
  | { readonly _tag: "CallsReverted"; readonly data: Hex }

export const PACKED_OPERATION =
  "struct PackedUserOperation { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }"

const entryPointAbi = parseAbi([
  PACKED_OPERATION,
  "function handleOps(PackedUserOperation[] ops, address beneficiary)",
  "function getUserOpHash(PackedUserOperation op) view returns (bytes32)"
])

const input = (name: string, type: string) => ({ name, type })

const FAILED = [input("opIndex", "uint256"), input("reason", "string")]

const refusals: Abi = [
  { type: "error", name: "FailedOp", inputs: FAILED },
  { type: "error", name: "FailedOpWithRevert", inputs: [...FAILED, input("inner", "bytes")] }
]

const OPERATION_EVENT = keccak256Utf8(
  "UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)"
)
const REVERT_EVENT = keccak256Utf8("UserOperationRevertReason(bytes32,address,uint256,bytes)")

/** Around what the operation itself is given. */
const BUNDLE_GAS = 1_000_000n

const gasOf = (operation: UserOperation): bigint => {
  const paymaster =
    "paymaster" in operation
      ? [operation.paymasterVerificationGasLimit, operation.paymasterPostOpGasLimit]
      : []
  const limits = [operation.callGasLimit, operation.verificationGasLimit, operation.preVerificationGas]
  return [...limits, ...paymaster].reduce((sum, limit) => sum + BigInt(limit), 0n)
}

/** A call keeps a part in 64 of its gas for what comes after the calls that it makes. */
const bundleGas = (operation: UserOperation): bigint => (gasOf(operation) * 64n) / 63n + BUNDLE_GAS

export const operationHashCall = ({ entryPoint, operation }: PlacedOperation): CallRequest => ({
  to: entryPoint,
  data: encodeFunctionData({
    abi: entryPointAbi,
    functionName: "getUserOpHash",
    args: [packedOperation(operation)]
  })
})

/** As anybody may send it who has no code. */
export const bundleCall = ({ entryPoint, operation }: PlacedOperation, sender: Address): CallRequest => ({
  from: sender,
  to: entryPoint,
  data: encodeFunctionData({
    abi: entryPointAbi,
    functionName: "handleOps",
    args: [[packedOperation(operation)], sender]
  }),
  gas: bundleGas(operation)
})

const TRANSACTION_GAS = 21_000n
const ZERO_BYTE_GAS = 10n
const BYTE_GAS = 40n

/** The most that a node wants of a transaction with these data before it runs. */
const gasBeforehand = (data: Hex): bigint =>
  fromHex(data).reduce((sum, byte) => sum + (byte === 0 ? ZERO_BYTE_GAS : BYTE_GAS), TRANSACTION_GAS)

const larger = Order.max(Order.bigint)

/** What the entry point has the wallet do, where a node tells no logs of a run: with the gas that it gives it, and what is paid for beforehand, which some chains want for their records too. */
export const walletCall = ({ entryPoint, operation }: PlacedOperation): CallRequest => ({
  from: entryPoint,
  to: operation.sender,
  data: operation.callData,
  gas:
    BigInt(operation.callGasLimit) +
    larger(gasBeforehand(operation.callData), BigInt(operation.preVerificationGas))
})

const refused = (revert: Hex): OperationRun => {
  const { args = [] } = decodeRevert(refusals, revert)
  const told = args.find(({ name }) => name === "reason")?.value
  const [reason] = typeof told === "string" ? (/^AA\d\d/.exec(told) ?? []) : []
  return { _tag: "Refused", reason, revert }
}

type SimulatedRun = Extract<SimulationOutcome, { readonly _tag: "Simulated" }>["calls"][number]

/** Undefined where it does not tell what became of the operation. */
export const simulatedRun = (
  { entryPoint, operationHash }: PlacedOperation,
  { status, returnData, logs }: SimulatedRun
): OperationRun | undefined => {
  if (status === "reverted") return returnData === "0x" ? undefined : refused(returnData)
  const member = (event: Bytes32, types: ReadonlyArray<string>): unknown => {
    const log = logs.find(
      ({ address, topics }) =>
        address.toLowerCase() === entryPoint.toLowerCase() &&
        topics[0] === event &&
        topics[1] === operationHash
    )
    const parameters = types.map(type => input("", type))
    return log && Either.getOrUndefined(decodeValues(parameters, log.data))?.[1]
  }
  const success = member(OPERATION_EVENT, ["uint256", "bool", "uint256", "uint256"])
  if (success === true) return { _tag: "Succeeded" }
  const revert = member(REVERT_EVENT, ["uint256", "bytes"])
  return success === false ? { _tag: "CallsReverted", data: isHex(revert) ? revert : "0x" } : undefined
}

const isHex = Schema.is(Hex)

/** By two calls, where a node tells no logs; undefined where it refuses to make one of them. */
export const calledRun = (bundle: CallOutcome, wallet: CallOutcome): OperationRun | undefined => {
  if (bundle._tag === "Reverted") return refused(bundle.data)
  if (bundle._tag === "Refused" || wallet._tag === "Refused") return undefined
  return wallet._tag === "Returned" ? { _tag: "Succeeded" } : { _tag: "CallsReverted", data: wallet.data }
}

/** Operations as the entry point takes them, and the hash by which it knows them. */
import { keccak256, keccak256Bytes } from "./Keccak.ts"
import type { Address, Bytes32, Hex } from "./Scalars.ts"
import { fromHex, toHex } from "./TypedDataHash.ts"
import type { UserOperation } from "./UserOperation.ts"

export interface PackedOperation {
  readonly sender: Address
  readonly nonce: bigint
  readonly initCode: "0x"
  readonly callData: Hex
  readonly accountGasLimits: Bytes32
  readonly preVerificationGas: bigint
  readonly gasFees: Bytes32
  readonly paymasterAndData: Hex
  readonly signature: Hex
}

/** The operation's execution on one chain. */
export interface OperationPlace {
  readonly chainId: number
  readonly entryPoint: Address
}

const digits = (hex: string): string => hex.slice(2).toLowerCase()

/** A value that is not of its declared width must not be hashed. */
const uint = (value: string | number | bigint, bytes = 32): string => {
  const text = BigInt(value)
    .toString(16)
    .padStart(2 * bytes, "0")
  if (text.length > 2 * bytes) throw new RangeError(`not an integer of ${bytes} bytes`)
  return text
}

const halves = (high: string, low: string): Bytes32 => `0x${uint(high, 16)}${uint(low, 16)}`

const paymasterAndData = (operation: UserOperation): Hex =>
  "paymaster" in operation
    ? `0x${[
        digits(operation.paymaster),
        uint(operation.paymasterVerificationGasLimit, 16),
        uint(operation.paymasterPostOpGasLimit, 16),
        digits(operation.paymasterData)
      ].join("")}`
    : "0x"

export const packedOperation = (operation: UserOperation): PackedOperation => ({
  sender: operation.sender,
  nonce: BigInt(operation.nonce),
  initCode: "0x",
  callData: operation.callData,
  accountGasLimits: halves(operation.verificationGasLimit, operation.callGasLimit),
  preVerificationGas: BigInt(operation.preVerificationGas),
  gasFees: halves(operation.maxPriorityFeePerGas, operation.maxFeePerGas),
  paymasterAndData: paymasterAndData(operation),
  signature: operation.signature
})

const address = (value: Address): string => digits(value).padStart(64, "0")
const hashOf = (data: Hex): string => digits(keccak256(fromHex(data)))

const hashOfWords = (...words: ReadonlyArray<string>): Uint8Array =>
  keccak256Bytes(fromHex(`0x${words.join("")}`))

/** As `EntryPoint.getUserOpHash`, which leaves out the signature alone. */
export const operationHash = (operation: UserOperation, { chainId, entryPoint }: OperationPlace): Bytes32 => {
  const packed = packedOperation(operation)
  const inner = hashOfWords(
    address(packed.sender),
    uint(packed.nonce),
    hashOf(packed.initCode),
    hashOf(packed.callData),
    digits(packed.accountGasLimits),
    uint(packed.preVerificationGas),
    digits(packed.gasFees),
    hashOf(packed.paymasterAndData)
  )
  return toHex(hashOfWords(digits(toHex(inner)), address(entryPoint), uint(chainId)))
}

/** What the entry point takes beforehand of whoever pays, and no more than which it costs. */
export const maximumCostOf = (operation: UserOperation): bigint => {
  const paymaster =
    "paymaster" in operation
      ? [operation.paymasterVerificationGasLimit, operation.paymasterPostOpGasLimit]
      : []
  const limits = [operation.callGasLimit, operation.verificationGasLimit, operation.preVerificationGas]
  const gas = [...limits, ...paymaster].reduce((sum, limit) => sum + BigInt(limit), 0n)
  return gas * BigInt(operation.maxFeePerGas)
}

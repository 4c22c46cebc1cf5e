/** What a wallet's owners sign of an operation. */
import { keccak256, keccak256Bytes, keccak256Utf8 } from "./Keccak.ts"
import { type OperationPlace, packedOperation } from "./PackedOperation.ts"
import type { Address, Bytes32, Hex } from "./Scalars.ts"
import { encodeType } from "./TypedData.ts"
import { fromHex, toHex } from "./TypedDataHash.ts"
import type { UserOperation } from "./UserOperation.ts"

/** Unix times in seconds; the wallet's adapter holds an operation to them. */
export interface OperationValidity {
  readonly validAfter: number
  readonly validUntil: number
}

export interface AdaptedOperation extends OperationPlace, OperationValidity {
  readonly adapter: Address
  readonly operation: UserOperation
}

export const safeDomainMembers = [
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" }
] as const

export const safeOpMembers = [
  { name: "safe", type: "address" },
  { name: "nonce", type: "uint256" },
  { name: "initCode", type: "bytes" },
  { name: "callData", type: "bytes" },
  { name: "verificationGasLimit", type: "uint128" },
  { name: "callGasLimit", type: "uint128" },
  { name: "preVerificationGas", type: "uint256" },
  { name: "maxPriorityFeePerGas", type: "uint128" },
  { name: "maxFeePerGas", type: "uint128" },
  { name: "paymasterAndData", type: "bytes" },
  { name: "validAfter", type: "uint48" },
  { name: "validUntil", type: "uint48" },
  { name: "entryPoint", type: "address" }
] as const

const messageOf = ({ operation, entryPoint, validAfter, validUntil }: AdaptedOperation) => {
  const { initCode, paymasterAndData } = packedOperation(operation)
  const decimal = (quantity: Hex): string => String(BigInt(quantity))
  return {
    safe: operation.sender,
    nonce: decimal(operation.nonce),
    initCode,
    callData: operation.callData,
    verificationGasLimit: decimal(operation.verificationGasLimit),
    callGasLimit: decimal(operation.callGasLimit),
    preVerificationGas: decimal(operation.preVerificationGas),
    maxPriorityFeePerGas: decimal(operation.maxPriorityFeePerGas),
    maxFeePerGas: decimal(operation.maxFeePerGas),
    paymasterAndData,
    validAfter,
    validUntil,
    entryPoint
  }
}

/** For a wallet's `eth_signTypedData_v4`. */
export const safeOperationTypedData = (adapted: AdaptedOperation) => ({
  types: { EIP712Domain: safeDomainMembers, SafeOp: safeOpMembers },
  primaryType: "SafeOp" as const,
  domain: { chainId: adapted.chainId, verifyingContract: adapted.adapter },
  message: messageOf(adapted)
})

type SafeOpMessage = ReturnType<typeof messageOf>

const word = (value: string | number): string => BigInt(value).toString(16).padStart(64, "0")

const wordOf = ({ name, type }: (typeof safeOpMembers)[number], message: SafeOpMessage): string => {
  const value = message[name]
  return type === "bytes" ? keccak256(fromHex(String(value))).slice(2) : word(value)
}

const hashOf = (type: Bytes32, words: ReadonlyArray<string>): string =>
  toHex(keccak256Bytes(fromHex(`0x${[type.slice(2), ...words].join("")}`))).slice(2)

const DOMAIN_TYPE = keccak256Utf8(encodeType("EIP712Domain", safeDomainMembers))
const SAFE_OP_TYPE = keccak256Utf8(encodeType("SafeOp", safeOpMembers))

export const safeOperationDigest = (adapted: AdaptedOperation): Bytes32 => {
  const domain = hashOf(DOMAIN_TYPE, [word(adapted.chainId), word(adapted.adapter)])
  const message = messageOf(adapted)
  const struct = hashOf(
    SAFE_OP_TYPE,
    safeOpMembers.map(member => wordOf(member, message))
  )
  return keccak256(fromHex(`0x1901${domain}${struct}`))
}

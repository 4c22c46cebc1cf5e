/** ERC-2771 forward requests: what a wallet signs, and the call by which anybody may have the forwarder execute it. */
import type { ForwarderDomain, ForwardRequest } from "./ForwardRequestShape.ts"
import { keccak256, keccak256Bytes, keccak256Utf8 } from "./Keccak.ts"
import type { Address, Bytes32, Hex } from "./Scalars.ts"
import { encodeType } from "./TypedData.ts"
import { fromHex, toHex } from "./TypedDataHash.ts"

export const forwardRequestMembers = [
  { name: "from", type: "address" },
  { name: "to", type: "address" },
  { name: "value", type: "uint256" },
  { name: "gas", type: "uint256" },
  { name: "nonce", type: "uint256" },
  { name: "deadline", type: "uint48" },
  { name: "data", type: "bytes" }
] as const

export const forwarderDomainMembers = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" }
] as const

const EXECUTE = "df905caf"
const VERIFY = "19d8d38c"
/** Of the seven members of the call's one argument. */
const HEAD_BYTES = 7n * 32n

const DOMAIN_TYPE = keccak256Utf8(encodeType("EIP712Domain", forwarderDomainMembers))
const REQUEST_TYPE = keccak256Utf8(encodeType("ForwardRequest", forwardRequestMembers))

const digits = (hex: string): string => hex.slice(2).toLowerCase()
const uint = (value: string | number | bigint): string => BigInt(value).toString(16).padStart(64, "0")
const address = (value: Address): string => digits(value).padStart(64, "0")

const hashOf = (...words: ReadonlyArray<string>): Uint8Array => keccak256Bytes(fromHex(`0x${words.join("")}`))

const separator = ({ name, version, chainId, verifyingContract }: ForwarderDomain) =>
  hashOf(
    digits(DOMAIN_TYPE),
    digits(keccak256Utf8(name)),
    digits(keccak256Utf8(version)),
    uint(chainId),
    address(verifyingContract)
  )

const structHash = ({ from, to, value, gas, nonce, deadline, data }: ForwardRequest) =>
  hashOf(
    digits(REQUEST_TYPE),
    address(from),
    address(to),
    uint(value),
    uint(gas),
    uint(nonce),
    uint(deadline),
    digits(keccak256(fromHex(data)))
  )

/** What the wallet signs. */
export const forwardRequestDigest = (domain: ForwarderDomain, request: ForwardRequest): Bytes32 =>
  keccak256(fromHex(`0x1901${digits(toHex(separator(domain)))}${digits(toHex(structHash(request)))}`))

const bytes = (hex: string): { readonly text: string; readonly length: bigint } => {
  const given = digits(hex)
  const padded = given.padEnd(Math.ceil(given.length / 64) * 64, "0")
  return { text: uint(given.length / 2) + padded, length: 32n + BigInt(padded.length / 2) }
}

/** The nonce is the forwarder's to know. */
const calldata =
  (selector: string) =>
  ({ from, to, value, gas, deadline, data }: ForwardRequest, signature: string): Hex => {
    const request = bytes(data)
    const signed = bytes(signature)
    const head = [address(from), address(to), uint(value), uint(gas), uint(deadline)]
    const offsets = [uint(HEAD_BYTES), uint(HEAD_BYTES + request.length)]
    return `0x${[selector, uint(32), ...head, ...offsets, request.text, signed.text].join("")}`
  }

/** The forwarder's `execute` of the signed request. */
export const executeCalldata = calldata(EXECUTE)

/** Whether the forwarder would take the signed request, if its nonce is the next. */
export const verifyCalldata = calldata(VERIFY)

/** By which a provider's transaction is known to be the execution of this request. */
export const outerCallHash = (calldata: Hex): Bytes32 => keccak256(fromHex(calldata))

/** Enough for the inner gas behind the 63/64 rule, and for the forwarder's own work. */
export const outerGas = (request: Pick<ForwardRequest, "gas">): bigint => {
  const inner = BigInt(request.gas)
  return inner + inner / 63n + 100_000n
}

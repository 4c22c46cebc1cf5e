/** Safe 1.4.1: the code that wallets run, and what their addresses follow from. */
import { digitsOf, word } from "./AbiWords.ts"
import { keccak256 } from "./Keccak.ts"
import type { Address, Bytes32, Hex } from "./Scalars.ts"
import { fromHex } from "./TypedDataHash.ts"

export const SAFE_SINGLETON: Address = "0x29fcB43b46531BcA003ddC8FCB67FFE91900C762"

/** Of the code that creates a proxy of it. */
export const SAFE_PROXY_INIT_CODE_HASH: Bytes32 =
  "0xe298282cefe913ab5d282047161268a8222e4bd4ed106300c547894bbefd31ee"

export const hashedDigits = (...digits: ReadonlyArray<string>): Bytes32 =>
  keccak256(fromHex(`0x${digits.join("")}`))

/** Where a factory puts the proxy, in lower case. */
export const proxyAddress = (
  factory: Address,
  initCodeHash: Bytes32,
  initializer: Hex,
  saltNonce: bigint
): Address => {
  const salt = hashedDigits(digitsOf(hashedDigits(digitsOf(initializer))), word(saltNonce))
  return `0x${hashedDigits("ff", ...[factory, salt, initCodeHash].map(digitsOf)).slice(-40)}`
}

/** The address that follows from how a wallet is set up; apart, since clients load nothing of it. */
import { digitsOf, word } from "../values/AbiWords.ts"
import { keccak256 } from "../values/Keccak.ts"
import { type Address, type Bytes32, checksummed, type Hex } from "../values/Scalars.ts"
import { fromHex } from "../values/TypedDataHash.ts"

const hashed = (...digits: ReadonlyArray<string>): Bytes32 => keccak256(fromHex(`0x${digits.join("")}`))

/** Of the code that creates a proxy of this singleton, which the factory tells. */
export const proxyInitCodeHash = (proxyCreationCode: Hex, singleton: Address): Bytes32 =>
  hashed(digitsOf(proxyCreationCode), word(singleton))

/** Where the factory puts the wallet. */
export const walletAddress = (
  factory: Address,
  initCodeHash: Bytes32,
  initializer: Hex,
  saltNonce: bigint
): Address => {
  const salt = hashed(digitsOf(hashed(digitsOf(initializer))), word(saltNonce))
  const digits = hashed("ff", ...[factory, salt, initCodeHash].map(digitsOf)).slice(-40)
  return checksummed(`0x${digits}`)
}

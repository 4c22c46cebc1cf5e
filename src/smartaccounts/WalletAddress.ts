/** The address that follows from how a wallet is set up; apart, since clients load nothing of it. */
import { digitsOf, word } from "../values/AbiWords.ts"
import { checksummed } from "../values/Checksum.ts"
import { hashedDigits, proxyAddress } from "../values/SafeProxy.ts"
import type { Address, Bytes32, Hex } from "../values/Scalars.ts"

/** Of the code that creates a proxy of this singleton, which the factory tells. */
export const proxyInitCodeHash = (proxyCreationCode: Hex, singleton: Address): Bytes32 =>
  hashedDigits(digitsOf(proxyCreationCode), word(singleton))

/** Where the factory puts the wallet. */
export const walletAddress = (
  factory: Address,
  initCodeHash: Bytes32,
  initializer: Hex,
  saltNonce: bigint
): Address => checksummed(proxyAddress(factory, initCodeHash, initializer, saltNonce))

/** Keys of viem's that sign a digest by native code, to the same bytes in a part of the time. */
import secp256k1 from "secp256k1"
import { bytesToHex, type Hex, hexToBytes } from "viem"
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts"

const signed = (privateKey: Hex, hash: Hex): Hex => {
  const { signature, recid } = secp256k1.ecdsaSign(hexToBytes(hash), hexToBytes(privateKey))
  return bytesToHex(Uint8Array.of(...signature, 27 + recid))
}

export const nativeKey = (privateKey: Hex = generatePrivateKey()): PrivateKeyAccount => ({
  ...privateKeyToAccount(privateKey),
  sign: async ({ hash }) => signed(privateKey, hash)
})

/** Stands in for the package of this name: the one function of it that the client calls, in the one form in which it calls it. */
export const recoverPublicKey = async ({ hash, signature: { r, s, yParity } }) => {
  const { secp256k1 } = await import("@noble/curves/secp256k1")
  const signature = new secp256k1.Signature(BigInt(r), BigInt(s)).addRecoveryBit(yParity)
  return `0x${signature.recoverPublicKey(hash.slice(2)).toHex(false)}`
}

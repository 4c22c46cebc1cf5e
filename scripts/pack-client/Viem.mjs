/** Stands in for the package of this name: the one function of it that the client calls, in the one form in which it calls it. */
export const recoverPublicKey = async ({ hash, signature: { r, s, yParity } }) => {
  const { recovered } = await import("./Recover.mjs")
  const words = recovered(BigInt(hash), BigInt(r), BigInt(s), yParity === 1)
  return `0x04${words.map(word => word.toString(16).padStart(64, "0")).join("")}`
}

/** The hash of a transaction as a person or a wallet tells it. */
const isHash = (text: string): text is `0x${string}` => /^0x[0-9a-f]{64}$/.test(text)

/** In lower case, where it is the hash of a transaction. */
export const hashIn = (text: string): `0x${string}` | undefined => {
  const hash = text.trim().toLowerCase()
  return isHash(hash) ? hash : undefined
}

/** What enables a policy at a guard: its bytes, at the one nonce at which the guard takes them. */
import { digitsOf, encodedMembers, tailOfBytes, word } from "../values/AbiWords.ts"
import type { Hex } from "../values/Scalars.ts"

export interface Enabling {
  readonly expectedEnableNonce: bigint
  readonly encoded: Hex
}

const WORD_DIGITS = 64
const NONCE_DIGITS = 16

/** What a wallet's adapter hands to the guard that it installs, so that a policy is enabled at once. */
export const installationData = ({ expectedEnableNonce, encoded }: Enabling): Hex =>
  `0x${encodedMembers([word(expectedEnableNonce), tailOfBytes(digitsOf(encoded))])}`

/** Undefined where the bytes are not those of any. */
export const enablingIn = (data: Hex): Enabling | undefined => {
  const digits = digitsOf(data)
  const wordAt = (index: number) => digits.slice(index * WORD_DIGITS, (index + 1) * WORD_DIGITS)
  const length = BigInt(`0x${wordAt(2) || "0"}`)
  if (length > BigInt(digits.length)) return undefined
  const start = 3 * WORD_DIGITS
  const enabling: Enabling = {
    expectedEnableNonce: BigInt(`0x${wordAt(0).slice(-NONCE_DIGITS) || "0"}`),
    encoded: `0x${digits.slice(start, start + 2 * Number(length))}`
  }
  return installationData(enabling) === `0x${digits}` ? enabling : undefined
}

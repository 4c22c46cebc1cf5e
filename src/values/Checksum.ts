/** The form of an address whose letters tell that it was copied rightly. */
import { keccak256Utf8 } from "./Keccak.ts"
import { memo } from "./Memo.ts"
import type { Address } from "./Scalars.ts"

const ADDRESSES_KEPT = 2_000

const checksums = memo<Address>(ADDRESSES_KEPT)

/** EIP-55 form of a lower-case address. */
export const checksummed = (lower: string): Address =>
  checksums(lower, () => {
    const hash = keccak256Utf8(lower.slice(2))
    const digits = lower
      .slice(2)
      .replace(/[a-f]/g, (digit, at) => (hash.charAt(at + 2) >= "8" ? digit.toUpperCase() : digit))
    return `0x${digits}`
  })

/** Metadata of one entry as JBMetadataResolver reads it: a reserved word, the table of entries, then the value. */
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Address, Hex } from "../values/Scalars.ts"

/** What a value is meant for, and the contract that looks it up. */
export interface MetadataPurpose {
  readonly purpose: "pay" | "cashOut"
  readonly target: Address
}

const WORD_DIGITS = 64
const RESERVED = "0".repeat(WORD_DIGITS)
/** The value begins after the reserved word and the one word that the table takes. */
const OFFSET = "02"

const padded = (digits: string): string =>
  digits.padEnd(Math.ceil(digits.length / WORD_DIGITS) * WORD_DIGITS, "0")

/** The first four bytes of the target xor those of the purpose's hash. */
const metadataId = ({ purpose, target }: MetadataPurpose): string => {
  const hash = keccak256Utf8(purpose).slice(2, 10)
  const id = Number.parseInt(target.slice(2, 10), 16) ^ Number.parseInt(hash, 16)
  return (id >>> 0).toString(16).padStart(8, "0")
}

/** The value is at least one word, as every ABI encoding of a value is. */
export const metadataOf = (purpose: MetadataPurpose, value: Hex): Hex =>
  `0x${RESERVED}${padded(`${metadataId(purpose)}${OFFSET}`)}${padded(value.slice(2))}`

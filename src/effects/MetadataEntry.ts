/** Entries of a terminal's metadata argument: after one reserved word a table of ids and word offsets, then the values. */
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Address, Hex } from "../values/Scalars.ts"

const WORD = 32
const ID = 4
const ROW = ID + 1

const bytesOf = (hex: string): Buffer => Buffer.from(hex.slice(2), "hex")

const idOf = (purpose: string, target: Address): Buffer => {
  const hash = bytesOf(keccak256Utf8(purpose))
  return Buffer.from(
    bytesOf(target)
      .subarray(0, ID)
      .map((byte, index) => byte ^ (hash[index] ?? 0))
  )
}

/** The first words of the value that the target finds under the purpose. */
export const metadataEntry = (
  metadata: string,
  purpose: string,
  target: Address,
  words: number
): Hex | undefined => {
  const bytes = bytesOf(metadata)
  const id = idOf(purpose, target)
  const end = Math.min((bytes[WORD + ID] ?? 0) * WORD, bytes.length)
  for (let row = WORD; row + ROW <= end; row += ROW) {
    const offset = bytes[row + ID] ?? 0
    if (offset === 0) return undefined
    if (!bytes.subarray(row, row + ID).equals(id)) continue
    const start = offset * WORD
    return `0x${bytes.subarray(start, start + words * WORD).toString("hex")}`
  }
  return undefined
}

/** The items that a payment's metadata asks a shop for. */
import { type AbiParameter, decodeAbiParameters, encodeAbiParameters } from "viem"

/** Whether more may be paid than the items cost, and their tiers. */
const CHOICE: ReadonlyArray<AbiParameter> = [{ type: "bool" }, { type: "uint16[]" }]

const WORD = 64
const ENTRY = 10
const NO_ID = "00000000"

const wordAt = (digits: string, word: number): string => digits.slice(word * WORD)

/** Each entry of the table is an id of four bytes and the word at which its value starts. */
const startsOf = (digits: string): ReadonlyArray<number> => {
  const table = wordAt(digits, 1)
  const starts: Array<number> = []
  for (let at = 0; at + ENTRY <= table.length; at += ENTRY) {
    const start = Number.parseInt(table.slice(at + NO_ID.length, at + ENTRY), 16)
    if (table.slice(at, at + NO_ID.length) === NO_ID || !(start > 1)) break
    starts.push(start)
    if (at + ENTRY >= (Math.min(...starts) - 1) * WORD) break
  }
  return starts
}

const tiersIn = (digits: string): ReadonlyArray<string> => {
  try {
    const values = decodeAbiParameters(CHOICE, `0x${digits}`)
    const [, tiers] = values
    const again = encodeAbiParameters(CHOICE, values).slice(2)
    return digits.startsWith(again) && Array.isArray(tiers) ? tiers.map(String) : []
  } catch {
    return []
  }
}

export const chosenTiers = (metadata: unknown): ReadonlyArray<string> => {
  const digits = String(metadata).slice(2)
  return startsOf(digits).flatMap(start => tiersIn(wordAt(digits, start)))
}

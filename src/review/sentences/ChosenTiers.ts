/** The items that a payment's metadata names, and for whom. */
import { type AbiParameter, decodeAbiParameters, encodeAbiParameters } from "viem"

/** Whether more may be paid than the items cost, and their tiers. */
const CHOICE: ReadonlyArray<AbiParameter> = [{ type: "bool" }, { type: "uint16[]" }]

const WORD = 64
const ENTRY = 10
const NO_ID = "00000000"

const wordAt = (digits: string, word: number): string => digits.slice(word * WORD)

interface Entry {
  /** Of the hook that reads it, and no other does. */
  readonly id: string
  readonly start: number
}

/** Each entry of the table is an id of four bytes and the word at which its value starts. */
const entriesOf = (digits: string): ReadonlyArray<Entry> => {
  const table = wordAt(digits, 1)
  const entries: Array<Entry> = []
  for (let at = 0; at + ENTRY <= table.length; at += ENTRY) {
    const id = table.slice(at, at + NO_ID.length)
    const start = Number.parseInt(table.slice(at + NO_ID.length, at + ENTRY), 16)
    if (id === NO_ID || !(start > 1)) break
    entries.push({ id: `0x${id}`, start })
    if (at + ENTRY >= (Math.min(...entries.map(entry => entry.start)) - 1) * WORD) break
  }
  return entries
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

export interface ChosenTiers {
  readonly id: string
  readonly tiers: ReadonlyArray<string>
}

export const chosenTiers = (metadata: unknown): ReadonlyArray<ChosenTiers> => {
  const digits = String(metadata).slice(2)
  return entriesOf(digits)
    .map(({ id, start }) => ({ id, tiers: tiersIn(wordAt(digits, start)) }))
    .filter(({ tiers }) => tiers.length > 0)
}

/** Any answer as text for people: members by name, rows of like objects as tables, what is unknown with its reason. */
import { isRecord } from "effect/Predicate"
import { foreign } from "./ForeignText.ts"
import { indented, textTable } from "./Table.ts"

type Members = Readonly<Record<string, unknown>>

const MOST_COLUMNS = 8
const MOST_CHARACTERS = 44

const isFlat = (value: unknown): boolean => typeof value !== "object" || value === null

/** What stands in a known observation, and the reason in an unknown one. */
const observed = (value: unknown): unknown => {
  if (!isRecord(value)) return value
  if (value.status === "known" && "value" in value) return observed(value.value)
  if (value.status !== "unknown" || !isRecord(value.error)) return value
  return `unknown: ${String(value.error.message)} (${String(value.error.code)})`
}

const word = (value: unknown, longest?: number): string => {
  if (value === null || value === undefined) return "-"
  return foreign(typeof value === "string" ? value : JSON.stringify(value), longest)
}

const cell = (value: unknown): string => word(value, MOST_CHARACTERS)

const asTable = (rows: ReadonlyArray<Members>): string | undefined => {
  const names = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const cells = rows.map(row => names.map(name => observed(row[name])))
  if (names.length > MOST_COLUMNS || !cells.flat().every(isFlat)) return undefined
  return textTable(
    names,
    cells.map(line => line.map(cell))
  )
}

const listText = (items: ReadonlyArray<unknown>): string => {
  const values = items.map(observed)
  const rows = values.filter(isRecord)
  const tabled = rows.length === values.length && rows.length > 1 ? asTable(rows) : undefined
  if (tabled !== undefined) return tabled
  return values
    .map((value, index) => (isFlat(value) ? word(value) : `[${index}]\n${indented(readable(value))}`))
    .join("\n")
}

const memberText = (name: string, member: unknown, width: number): string => {
  const value = observed(member)
  if (isFlat(value)) return `${name.padEnd(width)}  ${word(value)}`
  const isEmpty = Array.isArray(value) ? value.length === 0 : Object.keys(value ?? {}).length === 0
  return isEmpty ? `${name.padEnd(width)}  none` : `${name}\n${indented(readable(value))}`
}

export const readable = (answer: unknown): string => {
  const value = observed(answer)
  if (Array.isArray(value)) return value.length === 0 ? "none" : listText(value)
  if (!isRecord(value)) return word(value)
  const members = Object.entries(value)
  const flat = members.filter(([, member]) => isFlat(observed(member))).map(([name]) => name.length)
  const width = Math.max(0, ...flat)
  return members.map(([name, member]) => memberText(foreign(name), member, width)).join("\n")
}

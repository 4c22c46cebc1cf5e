/** Conditions of a `where`, with the meaning the source gives them, traps included. */
import type { Column } from "./Model.ts"
import { elementOperand, operandType, type Parameters, quoted, stored, storedElement } from "./Sql.ts"

export type Where = Readonly<Record<string, unknown>>

interface Operand {
  readonly column: Column
  readonly value: unknown
  readonly parameters: Parameters
  /** Of the table's enums. */
  readonly schema: string
}

type Condition = (operand: Operand) => string

const name = ({ column }: Operand): string => quoted(column.name)

const one = ({ column, parameters, schema }: Operand, value: unknown): string =>
  parameters.add(storedElement(column, value), elementOperand(column, schema))

const contained = (operand: Operand, values: unknown): string => {
  if (Array.isArray(values) && values.length === 0)
    throw new Error("arrayContains requires at least one value")
  return operand.parameters.add(stored(operand.column, values), operandType(operand.column, operand.schema))
}

const sameSet = (operand: Operand): string => {
  const place = contained(operand, operand.value)
  return `(${name(operand)} @> ${place} AND ${name(operand)} <@ ${place})`
}

const has = (operand: Operand): string => `${name(operand)} @> ${contained(operand, [operand.value])}`

const equals: Condition = operand => {
  if (operand.column.list) return sameSet(operand)
  return operand.value === null
    ? `${name(operand)} IS NULL`
    : `${name(operand)} = ${one(operand, operand.value)}`
}

const differs: Condition = operand => {
  if (operand.column.list) return `NOT ${sameSet(operand)}`
  return operand.value === null
    ? `${name(operand)} IS NOT NULL`
    : `${name(operand)} <> ${one(operand, operand.value)}`
}

const member =
  (operator: "IN" | "NOT IN"): Condition =>
  operand => {
    if (!Array.isArray(operand.value)) throw new Error(`syntax error at or near "${operand.column.name}"`)
    if (operand.value.length === 0) return operator === "IN" ? "false" : "true"
    return `${name(operand)} ${operator} (${operand.value.map(value => one(operand, value)).join(", ")})`
  }

const compared =
  (operator: string): Condition =>
  operand =>
    `${name(operand)} ${operator} ${one(operand, operand.value)}`

/** Nobody escapes the operand, and nobody puts it in lower case. */
const alike =
  (operator: string, pattern: (text: string) => string): Condition =>
  operand =>
    `${name(operand)} ${operator} ${operand.parameters.add(pattern(String(operand.value)), "text")}`

const around = (text: string): string => `%${text}%`
const before = (text: string): string => `${text}%`
const behind = (text: string): string => `%${text}`

/** The longest ending comes first, so that `_not_in` is not taken for `_in`. */
const CONDITIONS: ReadonlyArray<readonly [suffix: string, condition: Condition]> = Object.entries<Condition>({
  _not_starts_with_nocase: alike("NOT ILIKE", before),
  _not_ends_with_nocase: alike("NOT ILIKE", behind),
  _not_contains_nocase: alike("NOT ILIKE", around),
  _starts_with_nocase: alike("ILIKE", before),
  _ends_with_nocase: alike("ILIKE", behind),
  _contains_nocase: alike("ILIKE", around),
  _not_starts_with: alike("NOT LIKE", before),
  _not_ends_with: alike("NOT LIKE", behind),
  _not_contains: alike("NOT LIKE", around),
  _starts_with: alike("LIKE", before),
  _ends_with: alike("LIKE", behind),
  _contains: alike("LIKE", around),
  _not_has: operand => `NOT (${has(operand)})`,
  _not_in: member("NOT IN"),
  _has: has,
  _not: differs,
  _gte: compared(">="),
  _lte: compared("<="),
  _gt: compared(">"),
  _lt: compared("<"),
  _in: member("IN"),
  "": equals
})

interface Filtered {
  readonly columns: ReadonlyMap<string, Column>
  readonly parameters: Parameters
  readonly schema: string
}

const conditionOf = (key: string, value: unknown, { columns, ...rest }: Filtered): string => {
  for (const [suffix, condition] of CONDITIONS) {
    const column = key.endsWith(suffix) ? columns.get(key.slice(0, key.length - suffix.length)) : undefined
    if (column !== undefined) return condition({ column, value, ...rest })
  }
  throw new Error(`Invalid query: Where clause contains unknown column ${key}`)
}

/** What stands in one object holds together, but the objects of an `OR` are all poured into one list of alternatives. */
export const conditionsOf = (where: Where, filtered: Filtered): ReadonlyArray<string> =>
  Object.entries(where).flatMap(([key, value]) => {
    if (key !== "AND" && key !== "OR") return [conditionOf(key, value, filtered)]
    if (!Array.isArray(value))
      throw new Error(`Invalid query: Expected an array for the ${key} operator. Got: ${String(value)}`)
    const inner = value.flatMap(child => conditionsOf(child, filtered))
    return inner.length === 0 ? [] : [`(${inner.join(` ${key} `)})`]
  })

/** Parameters and names of statements: names come from the schema alone, values travel beside the text. */
import type { Column } from "./Model.ts"

export class Parameters {
  readonly values: Array<unknown> = []

  /** A place for the value, which PostgreSQL reads as the type. */
  add(value: unknown, type: string): string {
    this.values.push(value)
    return `$${this.values.length}::${type}`
  }
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

const STORED_AS: Readonly<Record<string, string>> = {
  Int: "integer",
  BigInt: "numeric(78)",
  String: "text",
  Boolean: "boolean",
  JSON: "json"
}

/** Enums are types of the schema that holds the tables. */
const elementType = ({ type }: Column, schema: string): string =>
  STORED_AS[type] ?? `${quoted(schema)}.${quoted(type)}`

const ofColumn = ({ list }: Column, element: string): string => `${element}${list ? "[]" : ""}`

export const columnType = (column: Column, schema: string): string =>
  ofColumn(column, elementType(column, schema))

/** Of values to compare with, which a column's limits do not bind. */
export const elementOperand = (column: Column, schema: string): string =>
  elementType(column, schema).replace("(78)", "")

export const operandType = (column: Column, schema: string): string =>
  ofColumn(column, elementOperand(column, schema))

/** What the driver would make a number of is asked for as text. */
export const selected = (column: Column): string => {
  const name = quoted(column.name)
  if (column.type !== "BigInt") return name
  return `${name}::text${column.list ? "[]" : ""} AS ${name}`
}

const evenHex = (text: string): string => (text.length % 2 === 0 ? text : `0x0${text.slice(2)}`).toLowerCase()

/** As the source stores it. */
export const storedElement = (column: Column, value: unknown): unknown => {
  if (value === null || value === undefined) return null
  if (column.hex && typeof value === "string") return evenHex(value)
  if (typeof value === "string") return value.replaceAll("\u0000", "")
  return typeof value === "bigint" ? String(value) : value
}

export const stored = (column: Column, value: unknown): unknown =>
  Array.isArray(value) && column.type !== "JSON"
    ? value.map(element => storedElement(column, element))
    : column.type === "JSON" && value !== null && value !== undefined
      ? JSON.stringify(value)
      : storedElement(column, value)

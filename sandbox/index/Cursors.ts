/** Positions in an order, as the source writes them: unsigned, and without the entity, the filters or the direction. */
import type { Column } from "./Model.ts"

export type Row = Readonly<Record<string, unknown>>

const bigints = (column: Column, value: unknown): ReadonlyArray<string> => {
  if (column.type !== "BigInt" || value === null) return []
  return Array.isArray(value) ? value.map((_, at) => `${column.name}.${at}`) : [column.name]
}

export const encodeCursor = (order: ReadonlyArray<Column>, row: Row): string => {
  const json = Object.fromEntries(order.map(({ name }) => [name, row[name]]))
  const marked = order.flatMap(column => bigints(column, row[column.name]))
  const values = Object.fromEntries(marked.map(path => [path, ["bigint"]]))
  const text = JSON.stringify(marked.length === 0 ? { json } : { json, meta: { values, v: 1 } })
  return Buffer.from(text).toString("base64")
}

/** A value that the cursor lacks is null, whatever order it was made for. */
export const decodeCursor = (cursor: string): Row => {
  const decoded: unknown = JSON.parse(Buffer.from(cursor, "base64").toString("utf8"))
  if (typeof decoded !== "object" || decoded === null || !("json" in decoded))
    throw new Error("Invalid cursor.")
  const { json } = decoded
  if (typeof json !== "object" || json === null) throw new Error("Invalid cursor.")
  return Object.fromEntries(Object.entries(json))
}

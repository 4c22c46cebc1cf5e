/** Single rows, gathered: everything that one request asks of one table travels as one statement. */
import type { Pool } from "pg"
import type { Row } from "./Cursors.ts"
import { conditionsOf } from "./Filters.ts"
import type { Entity } from "./Model.ts"
import { Parameters, selected, storedElement } from "./Sql.ts"
import { tableOf } from "./Tables.ts"

export type RowLoader = (entity: Entity, part: Row) => Promise<Row | null>

interface Waiting {
  readonly part: Row
  readonly answer: Promise<Row | null>
  readonly settle: (row: Row | null) => void
  readonly fail: (cause: unknown) => void
}

const comparable = (entity: Entity, name: string, value: unknown): unknown => {
  const column = entity.columns.get(name)
  if (column === undefined || value === null) return value
  const element = storedElement(column, value)
  return column.type === "BigInt" ? String(element) : element
}

const partText = (entity: Entity, part: Row): string =>
  JSON.stringify(Object.entries(part).map(([name, value]) => [name, comparable(entity, name, value) ?? null]))

const waiting = (part: Row): Waiting => {
  let settle: Waiting["settle"] = () => {}
  let fail: Waiting["fail"] = () => {}
  const answer = new Promise<Row | null>((resolve, reject) => {
    settle = resolve
    fail = reject
  })
  return { part, answer, settle, fail }
}

/** As many rows as parts are asked for, so a part that several rows match can take another one's place. */
const found = async (pool: Pool, schema: string, entity: Entity, parts: ReadonlyArray<Row>) => {
  const parameters = new Parameters()
  const filtered = { columns: entity.columns, parameters, schema }
  const conditions = parts.map(part => `(${conditionsOf(part, filtered).join(" AND ")})`)
  const columns = [...entity.columns.values()].map(selected).join(", ")
  const text = `SELECT ${columns} FROM ${tableOf(schema, entity.name)} WHERE ${conditions.join(" OR ")} LIMIT ${parts.length}`
  return (await pool.query<Row>(text, parameters.values)).rows
}

const matches = (entity: Entity, part: Row, row: Row): boolean =>
  Object.entries(part).every(([name, value]) => row[name] === comparable(entity, name, value))

export const rowLoader = (pool: Pool, schema: string): RowLoader => {
  const tables = new Map<string, Map<string, Waiting>>()
  const seen = new Map<string, Waiting>()
  const flush = async (entity: Entity): Promise<void> => {
    const batch = [...(tables.get(entity.name)?.values() ?? [])]
    tables.delete(entity.name)
    try {
      const rows = await found(
        pool,
        schema,
        entity,
        batch.map(({ part }) => part)
      )
      for (const { part, settle } of batch) settle(rows.find(row => matches(entity, part, row)) ?? null)
    } catch (cause) {
      for (const { fail } of batch) fail(cause)
    }
  }
  return (entity, part) => {
    const text = partText(entity, part)
    const known = seen.get(`${entity.name} ${text}`)
    if (known !== undefined) return known.answer
    const asked = waiting(part)
    seen.set(`${entity.name} ${text}`, asked)
    const batch = tables.get(entity.name)
    if (batch === undefined) {
      tables.set(entity.name, new Map([[text, asked]]))
      setImmediate(() => flush(entity))
    } else batch.set(text, asked)
    return asked.answer
  }
}

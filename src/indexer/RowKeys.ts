/** The key of a row that was read. */
import { type Entity, has } from "./Entities.ts"
import type { Json, Row } from "./IndexerSchemas.ts"

/** A part that is hidden behind a relation is that one's address. */
export const partIn = (row: Row, entity: Entity, name: string): Json | undefined => {
  if (has(entity, name)) return row[name]
  const related = row[name]
  return typeof related === "object" && related !== null && "address" in related ? related.address : undefined
}

/** All but the version, which is that of every row. */
export const keyIn = (row: Row, entity: Entity): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    entity.key.filter(name => name !== "version").map(name => [name, partIn(row, entity, name) ?? null])
  )

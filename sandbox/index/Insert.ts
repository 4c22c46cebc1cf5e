/** Writes rows of any entity. */
import type { ClientBase, Pool } from "pg"
import type { Row } from "./Cursors.ts"
import type { Entity } from "./Model.ts"
import { columnType, Parameters, quoted, stored } from "./Sql.ts"
import { type Place, tableOf } from "./Tables.ts"

/** Far below the number of parameters that a statement may have. */
const ROWS_AT_ONCE = 200

export const entityOf = ({ model }: Place, name: string): Entity => {
  const entity = model.get(name)
  if (entity === undefined) throw new Error(`There is no entity ${name}.`)
  return entity
}

const checked = ({ name, columns }: Entity, row: Row): Row => {
  const unknown = Object.keys(row).find(column => !columns.has(column))
  if (unknown !== undefined) throw new Error(`${name} has no column ${unknown}.`)
  return row
}

const replaced = ({ columns, key }: Entity): string => {
  const others = [...columns.keys()].filter(name => !key.includes(name))
  const sets = others.map(name => `${quoted(name)} = excluded.${quoted(name)}`).join(", ")
  const target = `ON CONFLICT (${key.map(quoted).join(", ")}) DO`
  return others.length === 0 ? `${target} NOTHING` : `${target} UPDATE SET ${sets}`
}

/** A row whose key is taken takes the other's place when `replacing`; a column that a row does not name is null. */
export const insertRows = async (
  on: Pool | ClientBase,
  place: Place,
  name: string,
  rows: ReadonlyArray<Row>,
  replacing = false
): Promise<void> => {
  const entity = entityOf(place, name)
  const columns = [...entity.columns.values()]
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const parameters = new Parameters()
    const tuples = rows.slice(at, at + ROWS_AT_ONCE).map(row => {
      const values = checked(entity, row)
      const places = columns.map(column =>
        parameters.add(stored(column, values[column.name] ?? null), columnType(column, place.schema))
      )
      return `(${places.join(", ")})`
    })
    const text = `INSERT INTO ${tableOf(place.schema, name)} (${columns.map(column => quoted(column.name)).join(", ")}) VALUES ${tuples.join(", ")}`
    await on.query(replacing ? `${text} ${replaced(entity)}` : text, parameters.values)
  }
}

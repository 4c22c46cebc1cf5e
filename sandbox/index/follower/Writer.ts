/** Writes rows of the local chain inside one transaction, with the columns that all rows of a kind share. */
import type { ClientBase } from "pg"
import type { Row } from "../Cursors.ts"
import { entityOf, insertRows } from "../Insert.ts"
import type { Column, Entity } from "../Model.ts"
import { columnType, elementOperand, Parameters, quoted, stored, storedElement } from "../Sql.ts"
import { type Place, tableOf } from "../Tables.ts"

export const VERSION = 6

/** Where on the chain a row comes from. */
export interface Origin {
  readonly chainId: number
  readonly blockNumber: number
  readonly timestamp: number
  readonly txHash: string
  readonly logIndex: number
  /** Who sent the transaction. */
  readonly from: string
}

const EMPTY: Readonly<Record<string, unknown>> = { Int: 0, BigInt: "0", Boolean: false, String: "" }

const emptyValue = ({ nullable, list, type }: Column): unknown => (nullable ? null : list ? [] : EMPTY[type])

const blank = ({ columns }: Entity): Row =>
  Object.fromEntries([...columns.values()].map(column => [column.name, emptyValue(column)]))

const columnNamed = ({ name, columns }: Entity, wanted: string): Column => {
  const column = columns.get(wanted)
  if (column === undefined) throw new Error(`${name} has no column ${wanted}.`)
  return column
}

export class Writer {
  readonly #client: ClientBase
  readonly #place: Place

  constructor(client: ClientBase, place: Place) {
    this.#client = client
    this.#place = place
  }

  /** A new row with nothing in the columns that it does not name; one that is there already stays as it is. */
  async ensure(name: string, row: Row): Promise<boolean> {
    const entity = entityOf(this.#place, name)
    if ((await this.find(name, this.#keyOf(entity, row))) !== undefined) return false
    await insertRows(this.#client, this.#place, name, [{ ...blank(entity), ...row }])
    return true
  }

  /** A new row, or the columns it names in the one that is there. */
  async put(name: string, row: Row): Promise<void> {
    if (await this.ensure(name, row)) return
    const entity = entityOf(this.#place, name)
    const parameters = new Parameters()
    const sets = Object.entries(row).map(([column, value]) => {
      const found = columnNamed(entity, column)
      const place = parameters.add(stored(found, value), columnType(found, this.#place.schema))
      return `${quoted(column)} = ${place}`
    })
    await this.#update(entity, this.#keyOf(entity, row), sets, parameters)
  }

  /** Adds to columns of a row. */
  async add(name: string, key: Row, amounts: Readonly<Record<string, number | bigint>>): Promise<void> {
    const entity = entityOf(this.#place, name)
    const parameters = new Parameters()
    const sets = Object.entries(amounts).map(([column, amount]) => {
      const place = parameters.add(String(amount), typeof amount === "number" ? "integer" : "numeric")
      return `${quoted(column)} = ${quoted(column)} + ${place}`
    })
    await this.#update(entity, key, sets, parameters)
  }

  async find(name: string, key: Row): Promise<Row | undefined> {
    const parameters = new Parameters()
    const condition = this.#condition(entityOf(this.#place, name), key, parameters)
    const text = `SELECT * FROM ${tableOf(this.#place.schema, name)} WHERE ${condition}`
    return (await this.#client.query<Row>(text, parameters.values)).rows[0]
  }

  /** An event's row and the activity that leads to it. */
  async event(name: string, origin: Origin, projectId: bigint, row: Row): Promise<void> {
    const { chainId, txHash, logIndex, timestamp, from } = origin
    const shared: Row = {
      id: `${chainId}-${txHash}-${logIndex}`,
      chainId,
      version: VERSION,
      txHash,
      timestamp,
      from,
      logIndex,
      projectId: Number(projectId),
      suckerGroupId: groupId(chainId, projectId)
    }
    const { columns } = entityOf(this.#place, name)
    const fitting = Object.entries(shared).filter(([column]) => columns.has(column))
    await insertRows(this.#client, this.#place, name, [{ ...Object.fromEntries(fitting), ...row }])
    const activity = entityOf(this.#place, "activityEvent")
    if (!activity.columns.has(name)) return
    const { logIndex: _, ...rest } = shared
    const id = `${shared.id}-${name}`
    await insertRows(this.#client, this.#place, "activityEvent", [
      { ...rest, id, type: name, [name]: shared.id }
    ])
  }

  #keyOf({ key }: Entity, row: Row): Row {
    return Object.fromEntries(key.map(column => [column, row[column]]))
  }

  #condition(entity: Entity, key: Row, parameters: Parameters): string {
    const parts = Object.entries(key).map(([name, value]) => {
      const column = columnNamed(entity, name)
      const place = parameters.add(storedElement(column, value), elementOperand(column, this.#place.schema))
      return `${quoted(name)} = ${place}`
    })
    return parts.join(" AND ")
  }

  async #update(
    entity: Entity,
    key: Row,
    sets: ReadonlyArray<string>,
    parameters: Parameters
  ): Promise<void> {
    const condition = this.#condition(entity, key, parameters)
    const text = `UPDATE ${tableOf(this.#place.schema, entity.name)} SET ${sets.join(", ")} WHERE ${condition}`
    await this.#client.query(text, parameters.values)
  }
}

/** Without bridges every project is a group of its own. */
export const groupId = (chainId: number, projectId: bigint): string => `${chainId}-${projectId}-${VERSION}`

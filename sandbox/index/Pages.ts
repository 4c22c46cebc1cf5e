/** One page of a list: order, position and count as the source has them. */
import type { Pool } from "pg"
import { decodeCursor, encodeCursor, type Row } from "./Cursors.ts"
import { conditionsOf, type Where } from "./Filters.ts"
import type { Column, Entity } from "./Model.ts"
import { operandType, Parameters, quoted, selected, stored } from "./Sql.ts"
import { tableOf } from "./Tables.ts"

export interface PageArguments {
  readonly where?: Where | null
  readonly orderBy?: string | null
  readonly orderDirection?: string | null
  readonly before?: string | null
  readonly after?: string | null
  readonly limit?: number | null
  readonly offset?: number | null
}

export interface Page {
  readonly items: ReadonlyArray<Row>
  readonly totalCount: number | null
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string | null
    readonly endCursor: string | null
  }
}

interface ListOf {
  readonly pool: Pool
  readonly schema: string
  readonly entity: Entity
  /** Values that a row has because somebody refers to it or is referred to by it. */
  readonly held: Row
  readonly counted: boolean
}

const DEFAULT_LIMIT = 50
const MAXIMUM_LIMIT = 1000

const orderColumns = (
  { columns, key }: Entity,
  orderBy: string | null | undefined
): ReadonlyArray<Column> => {
  const names = orderBy === undefined ? key : [String(orderBy), ...key.filter(name => name !== orderBy)]
  return names.map(name => {
    const column = columns.get(name)
    if (column === undefined) throw new Error(`Unknown column "${name}" used in orderBy argument`)
    return column
  })
}

/** What a cursor of another order lacks is null, but for bytes, where nothing can be read of it. */
const valueIn = (cursor: Row, { name, hex, list }: Column): unknown => {
  const value = cursor[name]
  if (value === undefined && hex && !list)
    throw new TypeError("Cannot read properties of undefined (reading 'length')")
  return value ?? null
}

/** Comparing with null is never true, so rows behind a null are lost. */
const position = (
  order: ReadonlyArray<Column>,
  operator: string,
  cursor: Row,
  parameters: Parameters,
  schema: string
): string => {
  const values = order.map(column =>
    parameters.add(stored(column, valueIn(cursor, column)), operandType(column, schema))
  )
  return `(${order.map(({ name }) => quoted(name)).join(", ")}) ${operator} (${values.join(", ")})`
}

const limitOf = (limit: number | null | undefined): number => {
  const wanted = limit ?? DEFAULT_LIMIT
  if (wanted > MAXIMUM_LIMIT) throw new Error(`Invalid limit. Got ${wanted}, expected <=${MAXIMUM_LIMIT}.`)
  return wanted
}

const heldConditions = ({ entity, held, schema }: ListOf, parameters: Parameters): ReadonlyArray<string> =>
  conditionsOf(held, { columns: entity.columns, parameters, schema })

const filtered = (list: ListOf, where: Where, parameters: Parameters): ReadonlyArray<string> => [
  ...conditionsOf(where, { columns: list.entity.columns, parameters, schema: list.schema }),
  ...heldConditions(list, parameters)
]

const clause = (conditions: ReadonlyArray<string>): string =>
  conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`

const countOf = async (list: ListOf, where: Where): Promise<number | null> => {
  if (!list.counted) return null
  const parameters = new Parameters()
  const text = `SELECT count(*)::integer AS count FROM ${tableOf(list.schema, list.entity.name)} ${clause(filtered(list, where, parameters))}`
  const { rows } = await list.pool.query<{ count: number }>(text, parameters.values)
  return rows[0]?.count ?? 0
}

interface Walk {
  readonly order: ReadonlyArray<Column>
  readonly direction: "ASC" | "DESC"
  readonly limit: number
  readonly offset: number
  readonly after: string | null
  readonly before: string | null
}

const walkOf = (entity: Entity, args: PageArguments): Walk => {
  const { after = null, before = null } = args
  const offset = args.offset ?? 0
  if (after !== null && before !== null) throw new Error("Cannot specify both before and after cursors.")
  if ((after ?? before) !== null && offset > 0)
    throw new Error(`Cannot specify both ${after === null ? "before" : "after"} cursor and offset.`)
  return {
    order: orderColumns(entity, args.orderBy),
    direction: (args.orderDirection ?? "asc") === "asc" ? "ASC" : "DESC",
    limit: limitOf(args.limit),
    offset,
    after,
    before
  }
}

/** Two rows more than wanted tell whether there is something on both sides. */
const rowsOf = async (list: ListOf, where: Where, walk: Walk): Promise<ReadonlyArray<Row>> => {
  const { order, direction, limit, offset, after, before } = walk
  const { entity, pool, schema } = list
  const parameters = new Parameters()
  const conditions = [...filtered(list, where, parameters)]
  const ascends = (direction === "ASC") === (before === null)
  const cursor = after ?? before
  if (cursor !== null)
    conditions.push(position(order, ascends ? ">=" : "<=", decodeCursor(cursor), parameters, schema))
  const sorted = order.map(({ name }) => `rows.${quoted(name)} ${ascends ? "ASC" : "DESC"}`).join(", ")
  const columns = [...entity.columns.values()].map(selected).join(", ")
  const text = `SELECT ${columns} FROM ${tableOf(schema, entity.name)} AS rows ${clause(conditions)} ORDER BY ${sorted} LIMIT ${limit + (cursor === null ? 1 : 2)} OFFSET ${offset}`
  const { rows } = await pool.query<Row>(text, parameters.values)
  return before === null ? rows : rows.reverse()
}

const NOWHERE = { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null }

/** Without the cursor's own row; where that is gone, the farthest goes in its place, whether there are more or not. */
const besides = (rows: ReadonlyArray<Row>, isThere: boolean, backwards: boolean): ReadonlyArray<Row> =>
  isThere === backwards ? rows.slice(0, -1) : rows.slice(1)

const around = (walk: Walk, rows: ReadonlyArray<Row>): Pick<Page, "items" | "pageInfo"> => {
  const { order, limit, after, before, offset } = walk
  const backwards = before !== null
  const edge = backwards ? rows.at(-1) : rows[0]
  const cursor = after ?? before
  const isThere = cursor !== null && edge !== undefined && encodeCursor(order, edge) === cursor
  const others = cursor === null ? rows : besides(rows, isThere, backwards)
  const items = backwards ? others.slice(Math.max(0, others.length - limit)) : others.slice(0, limit)
  const isMore = others.length > limit
  const cursors = items.length > 0 && offset === 0
  const [first, last] = [items[0], items.at(-1)]
  return {
    items,
    pageInfo: {
      hasNextPage: backwards ? isThere : isMore,
      hasPreviousPage: offset !== 0 || (backwards ? isMore : isThere),
      startCursor: cursors && first !== undefined ? encodeCursor(order, first) : null,
      endCursor: cursors && last !== undefined ? encodeCursor(order, last) : null
    }
  }
}

export const pageOf = async (list: ListOf, args: PageArguments): Promise<Page> => {
  const walk = walkOf(list.entity, args)
  const where = args.where === undefined ? {} : args.where
  if (where === null) throw new Error("Cannot convert undefined or null to object")
  if (walk.limit < 0) return { items: [], totalCount: await countOf(list, where), pageInfo: NOWHERE }
  const [rows, totalCount] = await Promise.all([rowsOf(list, where, walk), countOf(list, where)])
  return rows.length === 0
    ? { items: [], totalCount, pageInfo: { ...NOWHERE, hasPreviousPage: walk.offset !== 0 } }
    : { totalCount, ...around(walk, rows) }
}

/** The source's tables: one for each entity, and one for how far each chain is read. */
import type { Column, Entity, Model } from "./Model.ts"
import { columnType, quoted } from "./Sql.ts"

export interface Place {
  readonly schema: string
  readonly model: Model
}

export const tableOf = (schema: string, name: string): string => `${quoted(schema)}.${quoted(name)}`

/** Named unlike every entity. */
export const CHECKPOINT = "_checkpoint"

const tableText = (schema: string, { name, columns, key }: Entity): string => {
  const lines = [...columns.values()].map(
    column => `${quoted(column.name)} ${columnType(column, schema)}${column.nullable ? "" : " NOT NULL"}`
  )
  return `CREATE TABLE ${tableOf(schema, name)} (${[...lines, `PRIMARY KEY (${key.map(quoted).join(", ")})`].join(", ")})`
}

const enumsOf = (model: Model): ReadonlyMap<string, Column> =>
  new Map(
    [...model.values()]
      .flatMap(({ columns }) => [...columns.values()])
      .filter(({ members }) => members.length > 0)
      .map(column => [column.type, column])
  )

const enumText = (schema: string, { type, members }: Column): string =>
  `CREATE TYPE ${tableOf(schema, type)} AS ENUM (${members.map(member => `'${member.replaceAll("'", "''")}'`).join(", ")})`

const checkpointText = (schema: string): string =>
  `CREATE TABLE ${tableOf(schema, CHECKPOINT)} ("chainId" integer PRIMARY KEY, "name" text NOT NULL, "blockNumber" integer NOT NULL, "blockTimestamp" integer NOT NULL, "blockHash" text NOT NULL)`

/** Statements that make everything anew, what stood there before included. */
export const createTables = ({ schema, model }: Place): string =>
  [
    `DROP SCHEMA IF EXISTS ${quoted(schema)} CASCADE`,
    `CREATE SCHEMA ${quoted(schema)}`,
    ...[...enumsOf(model).values()].map(column => enumText(schema, column)),
    ...[...model.values()].map(entity => tableText(schema, entity)),
    checkpointText(schema)
  ].join(";\n")

/** Whoever reads meanwhile sees the old rows until this is committed. */
export const emptyTables = ({ schema, model }: Place): string =>
  [...model.keys(), CHECKPOINT].map(name => `DELETE FROM ${tableOf(schema, name)}`).join(";\n")

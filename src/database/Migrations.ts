/** Brings the database up to date, one process at a time: numbered SQL files once each, then functions by their editions; refuses files that changed after they were applied, and what a later build took from this one. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"
import { applyFunctions } from "./Functions.ts"
import {
  type FunctionFile,
  functionFiles,
  type MigrationFile,
  MigrationRefused,
  numberedFiles
} from "./MigrationFiles.ts"
import { isSqlError, sqlStateOf } from "./Pool.ts"
import { transaction } from "./Transaction.ts"

const LOCK = 7_310_001

const bookOf = ({ name, hash, servesFrom }: MigrationFile) =>
  servesFrom === undefined ? { name, hash } : { name, hash, serves_from: servesFrom }

const applyOne = (sql: SqlClient.SqlClient, file: MigrationFile): Effect.Effect<void, SqlError> =>
  Effect.zipRight(
    sql.unsafe(file.text),
    Effect.asVoid(sql`INSERT INTO migrations ${sql.insert(bookOf(file))}`)
  )

/** Only where there is one to keep: those who ask whether the service is ready wait for it. */
const keepBounds = (sql: SqlClient.SqlClient) =>
  sql.unsafe("ALTER TABLE migrations ADD COLUMN IF NOT EXISTS serves_from text")

interface Applied {
  readonly name: string
  readonly hash: string
  readonly serves_from: string | null
}

/** A later build may have brought the database on: this one serves it as long as nothing that it uses was taken away. */
const refuseForsaken = (files: ReadonlyArray<MigrationFile>, rows: ReadonlyArray<Applied>) => {
  const latest = files.at(-1)?.name ?? ""
  const taking = rows.find(({ name, serves_from }) => name > latest && (serves_from ?? "") > latest)
  return taking === undefined
    ? Effect.void
    : Effect.fail(
        new MigrationRefused({
          message: `a later build brought this database to ${taking.name}, which builds before ${taking.serves_from} cannot use; start one that knows it`
        })
      )
}

const refuseChanged = (files: ReadonlyArray<MigrationFile>, applied: ReadonlyMap<string, string>) => {
  const changed = files.find(file => (applied.get(file.name) ?? file.hash) !== file.hash)
  return changed === undefined
    ? Effect.void
    : Effect.fail(
        new MigrationRefused({
          message: `migration ${changed.name} differs from the one this database was built with`
        })
      )
}

const applyNumbered = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  files: ReadonlyArray<MigrationFile>
) {
  yield* sql.unsafe(
    "CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())"
  )
  const rows = yield* sql<Applied>`
    SELECT name, hash, to_jsonb(m) ->> 'serves_from' AS serves_from FROM migrations m`
  const applied = new Map(rows.map(row => [row.name, row.hash]))
  yield* refuseChanged(files, applied)
  yield* refuseForsaken(files, rows)
  const missing = files.filter(file => !applied.has(file.name))
  if (missing.some(({ servesFrom }) => servesFrom !== undefined)) yield* keepBounds(sql)
  yield* Effect.forEach(missing, file => applyOne(sql, file), { discard: true })
  return missing.length
})

const applyAll = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  numbered: ReadonlyArray<MigrationFile>,
  functions: ReadonlyArray<FunctionFile>
) {
  yield* sql`SELECT pg_advisory_xact_lock(${LOCK}) AS migrations`
  return (yield* applyNumbered(sql, numbered)) + (yield* applyFunctions(sql, functions))
})

const NO_RIGHT = "42501"

const lacksRight = (error: unknown): error is SqlError => isSqlError(error) && sqlStateOf(error) === NO_RIGHT

const refuseRightless = ({ cause }: SqlError) =>
  new MigrationRefused({
    message: `The user of SERVICE_DATABASE_URL may not make or change the service's tables (${cause instanceof Error ? cause.message : NO_RIGHT}): let it own the database and all that is in it.`
  })

/** Returns how many files were applied. */
export const migrate = Effect.fn("Migrations.migrate")(function* (directory: string) {
  const sql = yield* SqlClient.SqlClient
  const numbered = yield* numberedFiles(directory)
  const functions = yield* functionFiles(directory)
  return yield* transaction(
    sql,
    Effect.catchIf(applyAll(sql, numbered, functions), lacksRight, refuseRightless)
  )
})

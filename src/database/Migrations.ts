/** Brings the database up to date, one process at a time: numbered SQL files once each, then functions by their editions; refuses files that changed after they were applied, and what a later build took from this one. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect, type Redacted } from "effect"
import { STRAY_TABLES, type StrayTables, strayTablesRemedy, strayTablesText } from "../values/StrayTables.ts"
import { applyFunctions } from "./Functions.ts"
import {
  type FunctionFile,
  functionFiles,
  type MigrationFile,
  MigrationRefused,
  numberedFiles
} from "./MigrationFiles.ts"
import { LOCK_TIMEOUT_MS, poolLayer, refusingSql, sqlStateOf } from "./Pool.ts"
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

const refuseStray = (sql: SqlClient.SqlClient) =>
  Effect.flatMap(sql.unsafe<StrayTables>(STRAY_TABLES), ([found]) =>
    found === undefined
      ? Effect.void
      : Effect.fail(
          new MigrationRefused({
            message: `${strayTablesText(found)}: ${strayTablesRemedy(found)}, and start again.`
          })
        )
  )

const applyNumbered = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  files: ReadonlyArray<MigrationFile>
) {
  yield* refuseStray(sql)
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

/** Takes the time that it needs, after whoever does it already; tables that others hold are waited for no longer than ever. */
const applyAll = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  numbered: ReadonlyArray<MigrationFile>,
  functions: ReadonlyArray<FunctionFile>
) {
  yield* sql.unsafe("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
  yield* sql`SELECT pg_advisory_xact_lock(${LOCK}) AS migrations`
  yield* sql.unsafe(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`)
  return (yield* applyNumbered(sql, numbered)) + (yield* applyFunctions(sql, functions))
})

/** By the server's code, with its own words. */
const REASONS: Readonly<Record<string, (said: string) => string>> = {
  "42501": said =>
    `The user of SERVICE_DATABASE_URL may not make or change the service's tables (${said}): let it own the database and all that is in it.`,
  "53100": said =>
    `The disk of the server of SERVICE_DATABASE_URL is full (${said}), so nothing was applied: give it room, and start again.`,
  "55P03": said =>
    `Somebody else holds a table that a migration changes (${said}), so nothing was applied: start again, or end who holds it.`
}

const reasonOf = (error: SqlError): string | undefined => {
  const { cause } = error
  return cause instanceof Error ? REASONS[sqlStateOf(error) ?? ""]?.(cause.message) : undefined
}

const withReason = (error: SqlError): Effect.Effect<never, SqlError | MigrationRefused> => {
  const message = reasonOf(error)
  return message === undefined ? Effect.fail(error) : Effect.fail(new MigrationRefused({ message }))
}

/** Looked at before anything is written: a connection is left that learns it by a refused write, and with it the server's reason. */
const refuseReadOnly = (sql: SqlClient.SqlClient) =>
  Effect.flatMap(
    refusingSql(sql<{ told: string }>`SELECT current_setting('transaction_read_only') AS told`),
    ([server]) =>
      server?.told === "on"
        ? new MigrationRefused({
            message:
              "The server of SERVICE_DATABASE_URL is read-only, as a standby is: name the primary, or have this one take writes."
          })
        : Effect.void
  )

/** Returns how many files were applied. */
export const migrate = Effect.fn("Migrations.migrate")(function* (directory: string) {
  const sql = yield* SqlClient.SqlClient
  const numbered = yield* numberedFiles(directory)
  const functions = yield* functionFiles(directory)
  yield* refuseReadOnly(sql)
  return yield* transaction(sql, Effect.catchTag(applyAll(sql, numbered, functions), "SqlError", withReason))
})

/** A server that says nothing for so long is gone. */
const SILENCE_MS = 6 * 3_600_000

/** One on which a statement may take long, and one by which it is ended where the process is told to end meanwhile. */
const CONNECTIONS = 2

/** By connections of its own. */
export const migrateAlone = (url: Redacted.Redacted<string>, directory: string, silenceMillis = SILENCE_MS) =>
  Effect.provide(migrate(directory), poolLayer({ url, connections: CONNECTIONS, silenceMillis })).pipe(
    Effect.scoped
  )

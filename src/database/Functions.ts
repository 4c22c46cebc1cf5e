/** Keeps each function of the newest edition that any build brought, in whatever order old and new builds start. */
import type * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type FunctionFile, MigrationRefused } from "./MigrationFiles.ts"

interface Applied {
  readonly edition: number
  readonly hash: string
}

const refuseChanged = (files: ReadonlyArray<FunctionFile>, applied: ReadonlyMap<string, Applied>) => {
  const changed = files.find(({ name, edition, hash }) => {
    const known = applied.get(name)
    return known?.edition === edition && known.hash !== hash
  })
  return changed === undefined
    ? Effect.void
    : new MigrationRefused({
        message: `function file ${changed.name} differs from the one of edition ${changed.edition} that this database has; what changes needs a higher edition`
      })
}

const applyOne = (sql: SqlClient.SqlClient, { name, text, edition, hash }: FunctionFile) =>
  Effect.zipRight(
    sql.unsafe(text),
    sql`INSERT INTO function_migrations ${sql.insert({ name, edition, hash })}
      ON CONFLICT (name) DO UPDATE SET edition = excluded.edition, hash = excluded.hash, applied_at = now()`
  )

/** Within the transaction that holds the lock of all migrations; gives how many functions were applied. */
export const applyFunctions = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  files: ReadonlyArray<FunctionFile>
) {
  yield* sql.unsafe(
    "CREATE TABLE IF NOT EXISTS function_migrations (name text PRIMARY KEY, edition integer NOT NULL, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())"
  )
  const rows = yield* sql<Applied & { name: string }>`SELECT name, edition, hash FROM function_migrations`
  const applied = new Map(rows.map(row => [row.name, row]))
  yield* refuseChanged(files, applied)
  const newer = files.filter(({ name, edition }) => edition > (applied.get(name)?.edition ?? 0))
  yield* Effect.forEach(newer, file => applyOne(sql, file), { discard: true })
  return newer.length
})

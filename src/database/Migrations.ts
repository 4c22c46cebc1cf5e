/** Applies the numbered SQL files once each, one process at a time, and refuses files that changed after they were applied. */
import { createHash } from "node:crypto"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Data, Effect } from "effect"
import { transaction } from "./Transaction.ts"

const LOCK = 7_310_001

export class MigrationRefused extends Data.TaggedError("MigrationRefused")<{ readonly message: string }> {}

interface MigrationFile {
  readonly name: string
  readonly text: string
  readonly hash: string
}

const readFiles = (directory: string) =>
  Effect.promise(async (): Promise<ReadonlyArray<MigrationFile>> => {
    const names = (await readdir(directory)).filter(name => name.endsWith(".sql")).sort()
    const texts = await Promise.all(names.map(name => readFile(join(directory, name), "utf8")))
    return names.map((name, index) => {
      const text = texts[index] ?? ""
      return { name, text, hash: createHash("sha256").update(text).digest("hex") }
    })
  })

const applyOne = (sql: SqlClient.SqlClient, file: MigrationFile): Effect.Effect<void, SqlError> =>
  Effect.zipRight(
    sql.unsafe(file.text),
    Effect.asVoid(sql`INSERT INTO migrations ${sql.insert({ name: file.name, hash: file.hash })}`)
  )

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

const applyAll = (sql: SqlClient.SqlClient, files: ReadonlyArray<MigrationFile>) =>
  Effect.gen(function* () {
    yield* sql`SELECT pg_advisory_xact_lock(${LOCK}) AS migrations`
    yield* sql.unsafe(
      "CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())"
    )
    const rows = yield* sql<{ name: string; hash: string }>`SELECT name, hash FROM migrations`
    const applied = new Map(rows.map(row => [row.name, row.hash]))
    yield* refuseChanged(files, applied)
    const missing = files.filter(file => !applied.has(file.name))
    yield* Effect.forEach(missing, file => applyOne(sql, file), { discard: true })
    return missing.length
  })

/** Returns how many files were applied. */
export const migrate = Effect.fn("Migrations.migrate")(function* (directory: string) {
  const sql = yield* SqlClient.SqlClient
  const files = yield* readFiles(directory)
  return yield* transaction(sql, applyAll(sql, files))
})

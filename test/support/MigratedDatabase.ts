/** Databases that the migrations made, all of them or the first ones. */
import { Effect, Redacted } from "effect"
import { migrate } from "../../src/database/Migrations.ts"
import { poolLayer } from "../../src/database/Pool.ts"
import { MIGRATIONS, withMigrationsBefore } from "./MigrationDirectories.ts"
import { type FreshDatabase, freshDatabase } from "./Postgres.ts"

/** Brings a database to what the migrations of a directory make of it. */
export const migrated = (url: string, directory = MIGRATIONS): Promise<number> =>
  Effect.runPromise(
    migrate(directory).pipe(
      Effect.provide(poolLayer({ url: Redacted.make(url), connections: 2 })),
      Effect.scoped
    )
  )

let template: Promise<FreshDatabase> | undefined

const migrateTemplate = async (): Promise<FreshDatabase> => {
  const database = await freshDatabase()
  await migrated(database.url)
  return database
}

/** A copy of the one that this worker has brought up to date. */
export const migratedDatabase = async (): Promise<FreshDatabase> => {
  template ??= migrateTemplate()
  return freshDatabase(await template)
}

/** A database as it was before this migration. */
export const formerDatabase = async (before: string) => {
  const database = await freshDatabase()
  await withMigrationsBefore(before, directory => migrated(database.url, directory))
  return database
}

/** Databases that the migrations made, all of them or the first ones. */
import { Effect, Redacted } from "effect"
import { migrate } from "../../src/database/Migrations.ts"
import { poolLayer } from "../../src/database/Pool.ts"
import { MIGRATIONS, withMigrationsBefore } from "./MigrationDirectories.ts"
import { oncePerRun } from "./OncePerRun.ts"
import { type FreshDatabase, freshDatabase } from "./Postgres.ts"

/** Brings a database to what the migrations of a directory make of it. */
export const migrated = (url: string, directory = MIGRATIONS): Promise<number> =>
  Effect.runPromise(
    migrate(directory).pipe(
      Effect.provide(poolLayer({ url: Redacted.make(url), connections: 2 })),
      Effect.scoped
    )
  )

let template: Promise<string> | undefined

const migrateTemplate = async (): Promise<string> => {
  const { name, url } = await freshDatabase()
  await migrated(url)
  return name
}

/** A copy of the one that was brought up to date. */
export const migratedDatabase = async (): Promise<FreshDatabase> => {
  template ??= oncePerRun("template", migrateTemplate)
  return freshDatabase({ name: await template })
}

/** A database as it was before this migration. */
export const formerDatabase = async (before: string) => {
  const database = await freshDatabase()
  await withMigrationsBefore(before, directory => migrated(database.url, directory))
  return database
}

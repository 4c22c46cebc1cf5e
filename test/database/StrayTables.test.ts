/** A role whose search_path leads elsewhere starts no second service beside the one that is there. */
import { Effect, Redacted } from "effect"
import { afterAll, assert, it } from "vitest"
import { migrateAlone } from "../../src/database/Migrations.ts"
import { migratedDatabase } from "../support/MigratedDatabase.ts"
import { MIGRATIONS } from "../support/MigrationDirectories.ts"
import { sqlOn } from "../support/Sql.ts"

const database = await migratedDatabase()
await sqlOn(database.url, 'CREATE SCHEMA "Second"')

afterAll(() => database.drop())

const startedBy = (path: string) => {
  const url = new URL(database.url)
  url.searchParams.set("options", `-c search_path=${path}`)
  return migrateAlone(Redacted.make(url.href), MIGRATIONS)
}

it.each(['"Second"', '"Second",public', "nowhere"])("makes nothing where its path is %s", async path => {
  const { message } = await Effect.runPromise(Effect.flip(startedBy(path)))
  assert.strictEqual(
    message,
    `The service's tables are in schema public of this database, and this role's search_path is ${path}: name that schema in the URL, as by ?options=-c%20search_path%3Dpublic, and start again.`
  )
  const tables = "SELECT 1 FROM pg_tables WHERE schemaname = 'Second'"
  assert.deepStrictEqual(await sqlOn(database.url, tables), [])
})

it("goes on where the tables are in the first schema of its path", async () => {
  assert.strictEqual(await Effect.runPromise(startedBy('public,"Second"')), 0)
})

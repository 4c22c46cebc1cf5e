/** A start on a server that takes no writes says why, and what to do. */
import { Effect, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { migrateAlone } from "../../src/database/Migrations.ts"
import { withMigrations } from "../support/MigrationDirectories.ts"
import { type FreshDatabase, freshDatabase } from "../support/Postgres.ts"
import { sqlOn } from "../support/Sql.ts"

const refused = async ({ url }: FreshDatabase, migration: string): Promise<string> => {
  const failure = await withMigrations({ "0001_one.sql": migration }, {}, directory =>
    Effect.runPromise(Effect.flip(migrateAlone(Redacted.make(url), directory)))
  )
  return failure.message
}

describe("a start on a server", () => {
  it("that is read-only, as a standby is, names the primary as what is wanted", async () => {
    const database = await freshDatabase()
    const name = new URL(database.url).pathname.slice(1)
    await sqlOn(database.url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    const message = await refused(database, "CREATE TABLE one (id integer);")
    await database.drop()
    assert.match(
      message,
      /^The server of SERVICE_DATABASE_URL is read-only, as a standby is: name the primary/
    )
  })

  it("whose disk is full says that", async () => {
    const database = await freshDatabase()
    const full = "DO $$ BEGIN RAISE SQLSTATE '53100' USING MESSAGE = 'no space left'; END $$;"
    const message = await refused(database, full)
    await database.drop()
    assert.match(
      message,
      /^The disk of the server of SERVICE_DATABASE_URL is full \(no space left\), so nothing/
    )
  })
})

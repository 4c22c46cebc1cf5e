/** A migration takes the time that it needs, and whoever starts meanwhile waits for it. */
import { Effect, Redacted } from "effect"
import { assert, it } from "vitest"
import { migrateAlone } from "../../src/database/Migrations.ts"
import { withMigrations } from "../support/MigrationDirectories.ts"
import { freshDatabase } from "../support/Postgres.ts"
import { connected } from "../support/Sql.ts"

/** Longer than a pool waits for any other statement, which the server ends sooner still. */
const SECONDS = 22

it("takes longer than other statements may, while another start waits", { timeout: 180_000 }, async () => {
  const database = await freshDatabase()
  const slow = { "0001_slow.sql": `SELECT pg_sleep(${SECONDS}); CREATE TABLE slow (id integer);` }
  const counts = await withMigrations(slow, {}, directory => {
    const start = migrateAlone(Redacted.make(database.url), directory)
    return Effect.runPromise(Effect.all([start, start], { concurrency: "unbounded" }))
  })
  await database.drop()
  assert.sameMembers(counts, [0, 1])
})

it("gives up where somebody holds its table, and says so", { timeout: 60_000 }, async () => {
  const database = await freshDatabase()
  const holder = await connected(database.url)
  await holder.query("CREATE TABLE held (id integer)")
  await holder.query("BEGIN; LOCK TABLE held")
  const refused = await withMigrations({ "0001_held.sql": "DROP TABLE held;" }, {}, directory =>
    Effect.runPromise(Effect.flip(migrateAlone(Redacted.make(database.url), directory)))
  )
  await holder.end()
  await database.drop()
  assert.match(refused.message, /^Somebody else holds a table .*\(canceling statement due to lock timeout\)/)
})

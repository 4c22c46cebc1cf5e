/** A migration takes the time that it needs, and whoever starts meanwhile waits for it. */
import { Effect, Fiber, Redacted } from "effect"
import { assert, it } from "vitest"
import { migrateAlone } from "../../src/database/Migrations.ts"
import { withMigrations } from "../support/MigrationDirectories.ts"
import { freshDatabase } from "../support/Postgres.ts"
import { connected, sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"

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

const RUNNING = `SELECT count(*)::integer AS count FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active' AND query LIKE $1`

it.each([
  ["while it runs", "%pg_sleep%"],
  ["while it waits for another", "%pg_advisory_xact_lock%"]
])("ends with its start, on the server too, %s", { timeout: 120_000 }, async (_, statement) => {
  const database = await freshDatabase()
  const slow = { "0001_slow.sql": "SELECT pg_sleep(90);" }
  const running = async () => (await sqlOn(database.url, RUNNING, [statement]))[0]?.count
  await withMigrations(slow, {}, async directory => {
    const start = () => Effect.runFork(migrateAlone(Redacted.make(database.url), directory))
    const starts = statement.includes("sleep") ? [start()] : [start(), start()]
    await until(running, count => count === 1)
    const began = performance.now()
    await Effect.runPromise(Effect.forEach(starts, Fiber.interrupt, { concurrency: "unbounded" }))
    assert.isBelow(performance.now() - began, 30_000)
    assert.strictEqual(await running(), 0)
  })
  await database.drop()
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

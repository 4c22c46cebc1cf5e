/** The steps of docs/operating/rollback.md: a build starts on what a later one made of the database, unless that one took away what it uses. */
import { copyFile, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { migrated, migratedDatabase } from "../support/MigratedDatabase.ts"
import { MIGRATIONS, numberedNames, withMigrations } from "../support/MigrationDirectories.ts"
import { relayedAndMined } from "../support/Mined.ts"
import type { FreshDatabase } from "../support/Postgres.ts"
import { mine, type RelayBench, startRelayBench } from "../support/RelayBench.ts"
import { startService } from "../support/Service.ts"
import { sqlOn } from "../support/Sql.ts"

const LATER = "9001_notes.sql"
const TAKING = "9002_nothing_noted.sql"
const REPLACED = "settle_dispatch.sql"

const ADDS = `ALTER TABLE plans ADD COLUMN note text;
ALTER TABLE plan_steps ADD COLUMN noted boolean NOT NULL DEFAULT false;
CREATE TABLE notes (plan uuid PRIMARY KEY REFERENCES plans (id), text text NOT NULL);
`

/** What a later build does to the database when it starts: all of today's, and more. */
const broughtOn = async (url: string, added: Readonly<Record<string, string>>) => {
  const names = await numberedNames()
  const text = await readFile(join(MIGRATIONS, "functions", REPLACED), "utf8")
  const edition = Number(/^-- edition (\d+)/.exec(text)?.[1])
  const replaced = text.replace(/^-- edition \d+/, `-- edition ${edition + 1}`)
  return withMigrations({}, { [REPLACED]: replaced }, async directory => {
    await Promise.all(names.map(name => copyFile(join(MIGRATIONS, name), join(directory, name))))
    await Promise.all(Object.entries(added).map(([name, sql]) => writeFile(join(directory, name), sql)))
    return migrated(url, directory)
  })
}

const refusalOf = (starting: Promise<unknown>) =>
  starting.then(
    () => assert.fail("it started"),
    (refused: Error) => refused.message
  )

describe("a database that a later build only added to", () => {
  let database: FreshDatabase
  let bench: RelayBench

  beforeAll(async () => {
    database = await migratedDatabase()
    assert.strictEqual(await broughtOn(database.url, { [LATER]: ADDS }), 2)
    bench = await startRelayBench({ databaseUrl: database.url })
  })
  afterAll(async () => {
    await bench.stop()
    await database.drop()
  })

  it("serves this build, which relays on it and follows to the end", async () => {
    const { refresh } = await relayedAndMined(bench)
    await mine(bench)
    assert.strictEqual((await refresh()).status, "transactions_confirmed")
    const { status, parts } = await (await fetch(`${bench.service.opsUrl}/readyz`)).json()
    const unwell = parts.filter(({ state }: { readonly state: string }) => state === "unhealthy")
    assert.deepStrictEqual([status === "unhealthy", unwell], [false, []])
  })

  it("keeps what the later build brought, for when it comes again", async () => {
    assert.deepStrictEqual(
      await sqlOn(database.url, "SELECT name FROM migrations ORDER BY name DESC LIMIT 1"),
      [{ name: LATER }]
    )
    assert.strictEqual(await broughtOn(database.url, { [LATER]: ADDS }), 0)
  })
})

describe("a database that a later build took something from", () => {
  it("is refused by builds that still use it, with what to do, and nothing is changed", async () => {
    const database = await migratedDatabase()
    const taking = `-- serves builds from ${LATER}\nALTER TABLE notes DROP COLUMN text;\n`
    await broughtOn(database.url, { [LATER]: ADDS, [TAKING]: taking })
    const before = await sqlOn(database.url, "SELECT name, hash FROM migrations ORDER BY name")
    const message = await refusalOf(startService({ databaseUrl: database.url }))
    assert.include(
      message,
      `a later build brought this database to ${TAKING}, which builds before ${LATER} cannot use; start one that knows it`
    )
    assert.deepStrictEqual(
      await sqlOn(database.url, "SELECT name, hash FROM migrations ORDER BY name"),
      before
    )
    await database.drop()
  })
})

it("each migration that takes something away says which builds it still serves", async () => {
  const TAKES = /\b(DROP (TABLE|COLUMN|VIEW|FUNCTION|TYPE)|RENAME)\b/
  const FROM = /^-- serves builds from \d{4}_\w+\.sql\n/
  const later = (await numberedNames()).filter(name => name > "0021")
  for (const name of later) {
    const text = await readFile(join(MIGRATIONS, name), "utf8")
    assert.isTrue(!TAKES.test(text) || FROM.test(text), name)
  }
})

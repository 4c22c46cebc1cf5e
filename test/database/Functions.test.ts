/** Builds that bring functions of different editions start on one database in any order. */
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { migrated } from "../support/MigratedDatabase.ts"
import { withMigrations } from "../support/MigrationDirectories.ts"
import { type FreshDatabase, freshDatabase } from "../support/Postgres.ts"
import { sqlOn } from "../support/Sql.ts"

interface Build {
  readonly numbered: Readonly<Record<string, string>>
  readonly functions: Readonly<Record<string, string>>
}

const worth = (edition: number, factor: number): string => `-- edition ${edition}
CREATE OR REPLACE FUNCTION worth() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT ${factor} * sum(k.coins) FROM kept k);
END $$;
`

const FIRST = { "0001_kept.sql": "CREATE TABLE kept (coins integer NOT NULL);" }

const older: Build = { numbered: FIRST, functions: { "worth.sql": worth(1, 1) } }
const newer: Build = {
  numbered: { ...FIRST, "0002_owners.sql": "ALTER TABLE kept ADD COLUMN owner text NOT NULL DEFAULT 'me';" },
  functions: {
    "worth.sql": worth(2, 10),
    "worth_twice.sql":
      "-- edition 1\nCREATE FUNCTION worth_twice() RETURNS bigint LANGUAGE sql AS 'SELECT 2 * worth()';\n"
  }
}

let database: FreshDatabase

beforeEach(async () => {
  database = await freshDatabase()
})
afterEach(() => database.drop())

const sql = (text: string) => sqlOn(database.url, text)
const start = ({ numbered, functions }: Build) =>
  withMigrations(numbered, functions, directory => migrated(database.url, directory))
const worthNow = async () => (await sql("SELECT worth() AS worth"))[0]?.worth
const editions = () => sql("SELECT name, edition FROM function_migrations ORDER BY name")
const refusalOf = (starting: Promise<number>) =>
  starting.then(
    () => assert.fail("it started"),
    (refused: Error) => refused.message
  )

const BOTH = [
  { name: "worth.sql", edition: 2 },
  { name: "worth_twice.sql", edition: 1 }
]

describe("a function", () => {
  it("is replaced by its newer edition, and stays when the older build starts again", async () => {
    assert.strictEqual(await start(older), 2)
    await sql("INSERT INTO kept VALUES (3), (4)")
    assert.strictEqual(Number(await worthNow()), 7)
    assert.strictEqual(await start(newer), 3)
    assert.strictEqual(Number(await worthNow()), 70)
    for (const build of [older, newer, older]) assert.strictEqual(await start(build), 0)
    assert.strictEqual(Number(await worthNow()), 70)
    assert.deepStrictEqual(await editions(), BOTH)
  })

  it("stays when an older build starts for the first time", async () => {
    assert.strictEqual(await start(newer), 4)
    await sql("INSERT INTO kept VALUES (3), (4)")
    assert.strictEqual(await start(older), 0)
    assert.strictEqual(Number(await worthNow()), 70)
    assert.deepStrictEqual(await editions(), BOTH)
  })

  it("is of the newest edition after many builds started at once", async () => {
    await start(older)
    await sql("INSERT INTO kept VALUES (3), (4)")
    const counts = await Promise.all([older, newer, older, newer].map(start))
    assert.deepStrictEqual(
      counts.toSorted((a, b) => a - b),
      [0, 0, 0, 3]
    )
    assert.strictEqual(Number(await worthNow()), 70)
  })

  it("of the same edition and another text stops the start, and nothing is applied", async () => {
    await start(older)
    await sql("INSERT INTO kept VALUES (3), (4)")
    const changed = { ...newer, functions: { ...newer.functions, "worth.sql": worth(1, 10) } }
    const message = await refusalOf(start(changed))
    assert.include(
      message,
      "function file worth.sql differs from the one of edition 1 that this database has"
    )
    assert.strictEqual(Number(await worthNow()), 7)
    assert.deepStrictEqual(await sql("SELECT name FROM migrations"), [{ name: "0001_kept.sql" }])
    assert.deepStrictEqual(await editions(), [{ name: "worth.sql", edition: 1 }])
  })

  it.each([
    ["no edition", worth(1, 1).replace("-- edition 1\n", "")],
    ["edition 0", worth(0, 1)],
    ["its edition behind something else", `\n${worth(1, 1)}`]
  ])("with %s stops the start", async (_, text) => {
    const message = await refusalOf(start({ ...older, functions: { "worth.sql": text } }))
    assert.include(message, "function file worth.sql does not open with its edition")
  })
})

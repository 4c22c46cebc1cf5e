/** A database of each released schema, with rows in every table, is brought up to date and keeps them all. */
import { readFileSync } from "node:fs"
import { Effect, Redacted } from "effect"
import { afterAll, afterEach, assert, describe, it } from "vitest"
import { databaseListing } from "../../scripts/schema/DatabaseListing.ts"
import { poolLayer } from "../../src/database/Pool.ts"
import { keepUpTo } from "../support/Kept.ts"
import { migrated } from "../support/MigratedDatabase.ts"
import { withMigrationsBefore } from "../support/MigrationDirectories.ts"
import { type FreshDatabase, freshDatabase } from "../support/Postgres.ts"
import { sqlOn } from "../support/Sql.ts"
import released from "./released.json" with { type: "json" }

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

const OWN_BOOKS = ["migrations", "function_migrations"]

const former = await freshDatabase()
afterAll(() => former.drop())

let database: FreshDatabase
afterEach(() => database.drop())

/** A copy of one that goes from each state to the next and is never filled. */
const databaseBefore = async (next: string): Promise<FreshDatabase> => {
  await withMigrationsBefore(next, directory => migrated(former.url, directory))
  return freshDatabase(former)
}

const sql = (text: string) => sqlOn(database.url, text)

const tables = async (): Promise<ReadonlyArray<string>> => {
  const rows = await sql(
    "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname"
  )
  return rows.map(({ relname }) => String(relname)).filter(name => !OWN_BOOKS.includes(name))
}

const rowsOf = async (table: string): Promise<Rows> => {
  const [row] = await sql(`SELECT coalesce(json_agg(t ORDER BY t::text), '[]')::text AS rows FROM ${table} t`)
  return JSON.parse(String(row?.rows))
}

/** Tables that others took the place of, as those have their rows. */
const MOVED: Readonly<Record<string, { readonly name: string; readonly rows: string }>> = {
  wallet_nonces: {
    name: "reserved_nonces",
    rows: "(SELECT 'eip155:' || chain_id || ':' || sender AS scope, nonce::text AS nonce, plan, step FROM wallet_nonces)"
  }
}

const everything = async () => {
  const names = await tables()
  const lists = await Promise.all(names.map(name => rowsOf(MOVED[name]?.rows ?? name)))
  return new Map(names.map((name, index) => [MOVED[name]?.name ?? name, lists[index] ?? []]))
}

/** Columns that came later are no matter. */
const within = (now: Rows, before: Rows): Rows => {
  const columns = Object.keys(before[0] ?? {})
  return now.map(row => Object.fromEntries(columns.map(column => [column, row[column]])))
}

const listing = () =>
  Effect.runPromise(
    databaseListing.pipe(
      Effect.provide(poolLayer({ url: Redacted.make(database.url), connections: 1 })),
      Effect.scoped
    )
  )

const STATES = Object.keys(released.numbered)

describe("a database of before", () => {
  it.each(STATES.slice(1))("%s keeps its rows, and gets today's schema", async next => {
    database = await databaseBefore(next)
    await keepUpTo(database.url, STATES[STATES.indexOf(next) - 1] ?? "")
    const before = await everything()
    for (const [table, rows] of before) assert.isNotEmpty(rows, `${table} is filled`)
    assert.isAbove(await migrated(database.url), 0)
    const after = await everything()
    for (const [table, rows] of before)
      assert.deepStrictEqual(within(after.get(table) ?? [], rows), rows, table)
    assert.strictEqual(await listing(), readFileSync("schema/database.sql", "utf8"))
    assert.strictEqual(await migrated(database.url), 0)
  })

  it("now keeps them too", async () => {
    const last = STATES.at(-1) ?? ""
    database = await databaseBefore(`${last}~`)
    await keepUpTo(database.url, last)
    const before = await everything()
    assert.isAbove(await migrated(database.url), 0)
    assert.deepStrictEqual(await everything(), before)
  })
})

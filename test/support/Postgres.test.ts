import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Client } from "pg"
import { freshDatabase, scopedDatabase } from "./Postgres.ts"

const query = async (url: string, sql: string): Promise<ReadonlyArray<unknown>> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

it("gives each caller a database of its own", async () => {
  const [first, second] = await Promise.all([freshDatabase(), freshDatabase()])
  await query(first.url, "CREATE TABLE mine (id int)")
  const seen = "SELECT count(*)::int AS n FROM pg_tables WHERE tablename = 'mine'"
  assert.deepStrictEqual(await query(first.url, seen), [{ n: 1 }])
  assert.deepStrictEqual(await query(second.url, seen), [{ n: 0 }])
  await Promise.all([first.drop(), second.drop()])
})

it.effect("drops a scoped database with its scope", () =>
  Effect.gen(function* () {
    const url = yield* Effect.scoped(scopedDatabase)
    const outcome = yield* Effect.promise(() =>
      query(Redacted.value(url), "SELECT 1").then(
        () => "connected",
        () => "refused"
      )
    )
    assert.strictEqual(outcome, "refused")
  })
)

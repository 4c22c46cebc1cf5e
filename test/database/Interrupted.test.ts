/** A statement whose caller is interrupted while the pool is exhausted: whoever has its connection next is not hurt by that. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Fiber, Redacted } from "effect"
import { assert, inject, it } from "vitest"
import { poolLayer, refusingSql } from "../../src/database/Pool.ts"
import { connected } from "../support/Sql.ts"
import { until } from "../support/Until.ts"

const url = inject("postgresUrl")
const [FIRST, SECOND, THIRD] = [730_001, 730_002, 730_003]

it("a statement whose caller is interrupted cancels none of another caller", async () => {
  const keeper = await connected(url)
  const hold = (lock: number) => keeper.query("SELECT pg_advisory_lock($1)", [lock])
  const letGo = (lock: number) => keeper.query("SELECT pg_advisory_unlock($1)", [lock])
  const isWaitedFor = async (lock: number) => {
    const asked = await keeper.query("SELECT 1 FROM pg_locks WHERE objid = $1 AND NOT granted", [lock])
    return asked.rows.length > 0
  }
  const reached = (lock: number) => Effect.promise(() => until(() => isWaitedFor(lock), Boolean))
  for (const lock of [FIRST, SECOND, THIRD]) await hold(lock)

  await Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const waiting = (lock: number) =>
      Effect.fork(refusingSql(sql`SELECT pg_advisory_xact_lock(${lock}::bigint)`))
    const [first, second] = [yield* waiting(FIRST), yield* waiting(SECOND)]
    yield* Effect.all([reached(FIRST), reached(SECOND)])
    const third = yield* waiting(THIRD)
    yield* Effect.yieldNow()
    yield* Fiber.interruptFork(first)
    yield* Effect.yieldNow()
    yield* Effect.promise(() => letGo(FIRST))
    yield* reached(THIRD)
    yield* Effect.promise(() => letGo(SECOND))
    yield* Fiber.join(second)
    /** What waited for a connection before has had it by then. */
    yield* refusingSql(sql`SELECT ${1}::int`)
    yield* Effect.promise(() => letGo(THIRD))
    const exit = yield* Fiber.await(third)
    assert.strictEqual(exit._tag, "Success", String(exit))
  }).pipe(
    Effect.provide(poolLayer({ url: Redacted.make(url), connections: 2 })),
    Effect.scoped,
    Effect.runPromise
  )
  await keeper.end()
})

import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, describe, it } from "@effect/vitest"
import { Chunk, Deferred, Effect, Fiber, Layer, TestClock } from "effect"
import { nonceCleanup, removeExpired } from "../../src/accounts/NonceCleanup.ts"
import { migrate } from "../../src/database/Migrations.ts"
import { poolLayer } from "../../src/database/Pool.ts"
import { packageRoot } from "../../src/settings/PackageRoot.ts"
import { scopedDatabase } from "../support/Postgres.ts"

const database = Layer.unwrapScoped(
  Effect.map(scopedDatabase, url =>
    Layer.provideMerge(
      Layer.effectDiscard(migrate(join(packageRoot, "migrations"))),
      poolLayer({ url, connections: 4 })
    )
  )
)

const enrolled = Effect.flatMap(
  SqlClient.SqlClient,
  sql => sql`
    INSERT INTO accounts (id, authority_chain_id, owner_address, created_at, updated_at)
    VALUES ('eip155:1:0xaa', 1, '0xaa', 0, 0)`
)

/** Nonces that expire so many seconds from now; negative ones are over. */
const nonces = (count: number, seconds: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    sql => sql`
      INSERT INTO request_nonces (account, nonce, expires_at)
      SELECT a.number, decode(md5(random()::text || i), 'hex'), unix_seconds() + ${seconds}
      FROM accounts a, generate_series(1, ${count}) i`
  )

const usage = (minutesAgo: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    sql => sql`
      INSERT INTO request_usage SELECT number, unix_seconds() / 60 - ${minutesAgo}::bigint, 1, 0 FROM accounts`
  )

const left = Effect.flatMap(SqlClient.SqlClient, sql =>
  Effect.map(
    sql<{ nonces: number; usage: number }>`
      SELECT (SELECT count(*) FROM request_nonces) AS nonces, (SELECT count(*) FROM request_usage) AS usage`,
    ([row]) => row
  )
)

const turn = Effect.promise(() => new Promise<void>(resolve => setImmediate(resolve)))

/** Until a round is over: what it did is seen in the database before it goes to sleep. */
const untilAsleep = (until: number): Effect.Effect<void> =>
  Effect.flatMap(TestClock.sleeps(), sleeps =>
    Chunk.contains(sleeps, until) ? Effect.void : Effect.zipRight(turn, untilAsleep(until))
  )

describe("the cleanup of nonces", () => {
  it.scoped("removes what is over in full batches and keeps the rest", () =>
    Effect.gen(function* () {
      yield* enrolled
      yield* nonces(20_001, -61)
      yield* nonces(3, 60)
      for (const minutes of [0, 9, 12, 300]) yield* usage(minutes)
      assert.deepStrictEqual(yield* removeExpired, { nonces: 20_001, usage: 2 })
      assert.deepStrictEqual(yield* left, { nonces: 3, usage: 2 })
      assert.deepStrictEqual(yield* removeExpired, { nonces: 0, usage: 0 })
    }).pipe(Effect.provide(database))
  )

  it.scoped("keeps what is over for a minute, in case the clock is set back", () =>
    Effect.gen(function* () {
      yield* enrolled
      yield* nonces(2, -50)
      yield* nonces(3, -60)
      assert.deepStrictEqual(yield* removeExpired, { nonces: 3, usage: 0 })
      assert.deepStrictEqual(yield* left, { nonces: 2, usage: 0 })
    }).pipe(Effect.provide(database))
  )

  it.scoped("passes over rows that somebody holds", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const held = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      yield* enrolled
      yield* nonces(5, -61)
      const holder = yield* Effect.fork(
        sql.withTransaction(
          sql`SELECT 1 FROM request_nonces LIMIT 2 FOR UPDATE`.pipe(
            Effect.zipRight(Deferred.succeed(held, undefined)),
            Effect.zipRight(Deferred.await(release))
          )
        )
      )
      yield* Deferred.await(held)
      assert.deepStrictEqual(yield* removeExpired, { nonces: 3, usage: 0 })
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(holder)
      assert.deepStrictEqual(yield* removeExpired, { nonces: 2, usage: 0 })
    }).pipe(Effect.provide(database))
  )

  it.scoped("removes each row once, however many replicas are at it", () =>
    Effect.gen(function* () {
      yield* enrolled
      yield* nonces(3_000, -61)
      yield* nonces(3, 60)
      const gone = yield* Effect.all(
        Array.from({ length: 4 }, () => removeExpired),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(
        gone.reduce((sum, each) => sum + each.nonces, 0),
        3_000
      )
      assert.deepStrictEqual(yield* left, { nonces: 3, usage: 0 })
    }).pipe(Effect.provide(database))
  )

  it.scoped("comes round every ten seconds and ends with its scope", () =>
    Effect.gen(function* () {
      yield* enrolled
      yield* nonces(1, -61)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Layer.build(nonceCleanup)
          yield* untilAsleep(10_000)
          assert.deepStrictEqual(yield* left, { nonces: 0, usage: 0 })
          yield* nonces(1, -61)
          yield* TestClock.adjust("9 seconds")
          assert.deepStrictEqual(yield* left, { nonces: 1, usage: 0 })
          yield* TestClock.adjust("1 second")
          yield* untilAsleep(20_000)
          assert.deepStrictEqual(yield* left, { nonces: 0, usage: 0 })
        })
      )
      yield* nonces(1, -61)
      yield* TestClock.adjust("1 minute")
      for (let look = 0; look < 20; look++) assert.deepStrictEqual(yield* left, { nonces: 1, usage: 0 })
    }).pipe(Effect.provide(database))
  )

  it.scoped("goes on once the database can do again what it could not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* enrolled
      yield* nonces(1, -61)
      yield* sql`ALTER TABLE request_usage RENAME TO request_usage_elsewhere`
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Layer.build(nonceCleanup)
          yield* untilAsleep(10_000)
          yield* sql`ALTER TABLE request_usage_elsewhere RENAME TO request_usage`
          yield* nonces(1, -61)
          yield* TestClock.adjust("10 seconds")
          yield* untilAsleep(20_000)
          assert.deepStrictEqual(yield* left, { nonces: 0, usage: 0 })
        })
      )
    }).pipe(Effect.provide(database))
  )
})

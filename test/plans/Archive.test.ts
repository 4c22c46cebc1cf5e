import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { migrate } from "../../src/database/Migrations.ts"
import { poolLayer } from "../../src/database/Pool.ts"
import { archivePage } from "../../src/plans/Archive.ts"
import { packageRoot } from "../../src/settings/PackageRoot.ts"
import { scopedDatabase } from "../support/Postgres.ts"

const database = Layer.unwrapScoped(Effect.map(scopedDatabase, url => poolLayer({ url, connections: 4 })))

const DAY_MS = 86_400_000

/** Of each plan one sponsorship and one operation. */
const prepared = Effect.flatMap(SqlClient.SqlClient, sql =>
  Effect.all([
    sql`INSERT INTO sponsorships (id, account, principal, plan, authorizations, commitment, created_at, expires_at)
      SELECT id, account, principal, id, '[]', '0x', 0, 0 FROM plans`,
    sql`INSERT INTO user_operations (id, account, principal, plan, steps, chain_id, entry_point, sender, nonce, binding, state_hash,
        terms, operation_hash, commitment, created_at, expires_at, valid_until, since_block, maximum_cost, wallet_code_hash,
        entry_point_code_hash)
      SELECT id, account, principal, id, '{0}', 1, '0x', '0x', 0, '0x', '0x', '{}', id::text, '0x', 0, 0, 0, 0, 0, '0x', '0x' FROM plans`
  ])
)

const seed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* migrate(join(packageRoot, "migrations"))
  yield* sql`INSERT INTO accounts (id, authority_chain_id, owner_address, created_at, updated_at)
    VALUES ('eip155:1:0x00', 1, '0x00', 0, 0)`
  const plan = (name: string, daysAgo: number, watched: boolean) => sql`
    WITH plan AS (
      INSERT INTO plans (id, account, principal, operation, wallet, terms, commitment, created_at, expires_at, changed_at, sweep_at)
      VALUES (gen_random_uuid(), 1, ${name}, 'contract_calls', '0x00', '{}', '0x', 0,
        unix_millis() - ${daysAgo * DAY_MS}, unix_millis() - ${daysAgo * DAY_MS}, ${watched ? 1 : null}) RETURNING id)
    INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, created_at)
    SELECT 1, ${name}, ${name}, '', 'plan', id, 0 FROM plan`
  yield* plan("recent", 29, false)
  yield* plan("old", 31, false)
  yield* plan("old and still watched", 31, true)
})

it.scoped("archives plans that ended thirty days ago together with their keys, and nothing else", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* seed
    assert.strictEqual(yield* archivePage, 1)
    assert.strictEqual(yield* archivePage, 0)
    const live = yield* sql<{
      principal: string
    }>`SELECT principal FROM plans WHERE archived_at IS NULL ORDER BY principal`
    assert.deepStrictEqual(
      live.map(row => row.principal),
      ["old and still watched", "recent"]
    )
    const keys = yield* sql<{ key: string }>`SELECT key FROM idempotency_keys ORDER BY key`
    assert.deepStrictEqual(
      keys.map(row => row.key),
      ["old and still watched", "recent"]
    )
    const archived = yield* sql<{ key: string }>`SELECT key FROM idempotency_archive`
    assert.deepStrictEqual(
      archived.map(row => row.key),
      ["old"]
    )
  }).pipe(Effect.provide(database))
)

it.scoped("archives what was prepared of them in the same page", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* seed
    yield* prepared
    yield* archivePage
    for (const table of ["sponsorships", "user_operations"]) {
      const archived = yield* sql<{ principal: string }>`
        SELECT principal FROM ${sql(table)} WHERE archived_at IS NOT NULL`
      assert.deepStrictEqual(archived, [{ principal: "old" }])
    }
  }).pipe(Effect.provide(database))
)

const given = Effect.flatMap(
  SqlClient.SqlClient,
  sql => sql`SELECT record_outcome(json_populate_record(NULL::dispatch_request, json_build_object(
    'plan', id, 'principal', 'old', 'key', 'since', 'identity', '', 'keys_per_account', 9)), 1)
  FROM plans WHERE principal = 'old'`
)

/** All its keys go with the plan, once another thirty days are over. */
const goesWithItsKeys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  assert.strictEqual(yield* archivePage, 0)
  yield* sql`UPDATE plans SET changed_at = changed_at - ${31 * DAY_MS}::bigint WHERE principal = 'old'`
  assert.strictEqual(yield* archivePage, 1)
  const keys = yield* sql<{ key: string }>`SELECT key FROM idempotency_archive ORDER BY key`
  assert.deepStrictEqual(
    keys.map(row => row.key),
    ["old", "since"]
  )
})

it.scoped(
  "takes a plan up again that was given a key since, and the key with it after another thirty days",
  () =>
    Effect.gen(function* () {
      yield* seed
      yield* archivePage
      yield* given
      yield* goesWithItsKeys
    }).pipe(Effect.provide(database))
)

const LOOKED = 730_004

/** Whoever looks at the clock has its snapshot already, and waits there for the lock. */
const holdingLooks = Effect.flatMap(
  SqlClient.SqlClient,
  sql => sql`CREATE OR REPLACE FUNCTION unix_millis() RETURNS bigint LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(${sql.literal(String(LOOKED))});
      RETURN floor(extract(epoch FROM clock_timestamp()) * 1000);
    END $$`
)

it.scoped("leaves a plan that is given a key while the plans that ended are looked for", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* seed
    yield* holdingLooks
    const held = yield* Deferred.make<void>()
    const archiving = yield* Effect.fork(Effect.zipRight(Deferred.await(held), archivePage))
    const isLooking = sql`SELECT 1 FROM pg_locks WHERE objid = ${LOOKED}::bigint AND NOT granted`
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`SELECT pg_advisory_xact_lock(${LOOKED}::bigint)`
        yield* Deferred.succeed(held, undefined)
        yield* Effect.repeat(isLooking, { until: rows => rows.length > 0 })
        yield* given
      })
    )
    assert.strictEqual(yield* Fiber.join(archiving), 0)
    yield* goesWithItsKeys
  }).pipe(Effect.provide(database))
)

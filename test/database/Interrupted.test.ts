/** A statement whose caller is interrupted while the pool is exhausted: whoever has its connection next is not hurt by that. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Fiber, Layer, Redacted, TestClock, TestContext } from "effect"
import type { Client } from "pg"
import { assert, describe, it } from "vitest"
import type { Actor } from "../../src/accounts/Principal.ts"
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { DatabaseClock } from "../../src/database/DatabaseClock.ts"
import { DatabaseHistory } from "../../src/database/DatabaseHistory.ts"
import { poolLayer, refusingSql } from "../../src/database/Pool.ts"
import { NonceHolders } from "../../src/dispatch/NonceHolder.ts"
import { makeReadiness } from "../../src/http/ops/Readiness.ts"
import { Indexer } from "../../src/indexer/Indexer.ts"
import { CursorSigner } from "../../src/settings/CursorSigner.ts"
import { Settings } from "../../src/settings/Settings.ts"
import { Manifests } from "../../src/smartaccounts/Manifests.ts"
import { migratedDatabase } from "../support/MigratedDatabase.ts"
import { testSettings } from "../support/Settings.ts"
import { connected } from "../support/Sql.ts"
import { until } from "../support/Until.ts"

const [SECOND, THIRD] = [730_002, 730_003]

/** What others wait for, as long as it keeps it. */
const holding = (keeper: Client) => {
  const ask = (text: string) => Effect.promise(() => keeper.query(text))
  const reached = (what: string) =>
    Effect.promise(() =>
      until(
        () => keeper.query(`SELECT 1 FROM pg_locks WHERE ${what} AND NOT granted`),
        ({ rows }) => rows.length > 0
      )
    )
  return {
    hold: (lock: number) => ask(`SELECT pg_advisory_lock(${lock})`),
    letGo: (lock: number) => ask(`SELECT pg_advisory_unlock(${lock})`),
    reached: (lock: number) => reached(`objid = ${lock}`),
    holdTable: (table: string) => ask(`BEGIN; LOCK ${table}`),
    letTableGo: ask("ROLLBACK"),
    reachedTable: (table: string) => reached(`relation = '${table}'::regclass`)
  }
}

const waiting = (sql: SqlClient.SqlClient, lock: number) =>
  Effect.fork(refusingSql(sql`SELECT pg_advisory_xact_lock(${lock}::bigint)`))

interface Scene<A, E> {
  /** Waits for the table. */
  readonly asked: Effect.Effect<A, E, SqlClient.SqlClient>
  readonly table: string
  readonly givenUp: (asking: Fiber.RuntimeFiber<A, E>) => Effect.Effect<void, E>
}

/** Its connection goes to the third caller, and the second's lets out what would cancel that. */
const sparesOthers = async <A, E>({ asked, table, givenUp }: Scene<A, E>): Promise<void> => {
  const database = await migratedDatabase()
  const keeper = await connected(database.url)
  const { hold, letGo, reached, holdTable, letTableGo, reachedTable } = holding(keeper)
  await Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* Effect.all([hold(SECOND), hold(THIRD), holdTable(table)])
    const asking = yield* Effect.fork(asked)
    yield* reachedTable(table)
    const second = yield* waiting(sql, SECOND)
    yield* reached(SECOND)
    const third = yield* waiting(sql, THIRD)
    yield* Effect.yieldNow()
    yield* givenUp(asking)
    yield* Effect.yieldNow()
    yield* letTableGo
    yield* reached(THIRD)
    yield* letGo(SECOND)
    yield* Fiber.join(second)
    /** What waited for a connection before has had it by then. */
    yield* refusingSql(sql`SELECT ${1}::int`)
    yield* letGo(THIRD)
    const exit = yield* Fiber.await(third)
    assert.strictEqual(exit._tag, "Success", String(exit))
  }).pipe(
    Effect.provide(poolLayer({ url: Redacted.make(database.url), connections: 2 })),
    Effect.scoped,
    Effect.provide(TestContext.TestContext),
    Effect.runPromise
  )
  await keeper.end()
  await database.drop()
}

const readiness = Effect.flatten(makeReadiness).pipe(
  Effect.provide(
    Layer.mock(ChainClient, {
      health: Effect.succeed([]),
      snapshotOf: () => assert.fail("no chain is asked")
    })
  ),
  Effect.provide(Layer.mock(DatabaseClock, { estimate: Effect.succeed(0) })),
  Effect.provide(Layer.mock(DatabaseHistory, { isBehind: Effect.succeed(false) })),
  Effect.provide(Layer.mock(Manifests, { all: [] })),
  Effect.provide(Layer.provide(Indexer.layer({ directory: "schema/indexer" }), CursorSigner.layer)),
  Effect.provide(Layer.succeed(Settings, testSettings()))
)

const { deadlineMillis } = testSettings().readiness

const OWNER = "0x00000000000000000000000000000000000000aa"
const actor: Actor = {
  ...{ accountId: `eip155:1:${OWNER}`, authorityChainId: 1, ownerAddress: OWNER, signer: OWNER },
  ...{ issuedAt: 0, expiresAt: 0, nonce: "0x0", kind: "owner", id: `owner:eip155:1:${OWNER}` }
}

const holder = Effect.flatMap(NonceHolders, ({ find }) =>
  find(actor, { scope: "eip155:1:0x00", text: "0" })
).pipe(Effect.provide(NonceHolders.layer))

describe("an interrupted caller cancels no statement of another", () => {
  it("where it asks for something", () =>
    sparesOthers({
      table: "plans",
      asked: Effect.flatMap(SqlClient.SqlClient, sql => refusingSql(sql`SELECT count(*) FROM plans`)),
      givenUp: Fiber.interruptFork
    }))

  it("where it asks who holds a nonce", () =>
    sparesOthers({ table: "reserved_nonces", asked: holder, givenUp: Fiber.interruptFork }))

  it("where it looks whether the service is ready, for as long as that may take", () =>
    sparesOthers({
      table: "readiness_probe",
      asked: readiness,
      givenUp: asking =>
        Effect.gen(function* () {
          yield* TestClock.adjust(deadlineMillis)
          const { parts } = yield* Fiber.join(asking)
          assert.deepInclude(parts, { name: "database", state: "unhealthy" })
        })
    }))
})

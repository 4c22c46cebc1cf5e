/** Who holds a nonce, where the database does not tell. */
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import type { Actor } from "../../src/accounts/Principal.ts"
import { migrate } from "../../src/database/Migrations.ts"
import { poolLayer } from "../../src/database/Pool.ts"
import { NonceHolders } from "../../src/dispatch/NonceHolder.ts"
import { MIGRATIONS } from "../support/MigrationDirectories.ts"
import { scopedDatabase } from "../support/Postgres.ts"

const database = Layer.unwrapScoped(Effect.map(scopedDatabase, url => poolLayer({ url, connections: 4 })))

const OWNER = "0x00000000000000000000000000000000000000aa"
const actor: Actor = {
  ...{ accountId: `eip155:1:${OWNER}`, authorityChainId: 1, ownerAddress: OWNER, signer: OWNER },
  ...{ issuedAt: 0, expiresAt: 0, nonce: "0x0", kind: "owner", id: `owner:eip155:1:${OWNER}` }
}

it.scoped("it is not said to be somebody whom the actor may not see", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { find } = yield* NonceHolders
    yield* migrate(MIGRATIONS)
    const held = yield* Deferred.make<void>()
    const asked = Effect.zipRight(Deferred.await(held), find(actor, { scope: "eip155:1:0x00", text: "0" }))
    const asking = yield* Effect.fork(asked)
    const waiting = sql.literal("pg_locks WHERE relation = 'reserved_nonces'::regclass AND NOT granted")
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`LOCK reserved_nonces`
        yield* Deferred.succeed(held, undefined)
        yield* Effect.repeat(sql`SELECT 1 FROM ${waiting}`, { until: rows => rows.length > 0 })
        yield* sql`SELECT pg_terminate_backend(pid) FROM ${waiting}`
      })
    )
    assert.strictEqual((yield* Effect.flip(Fiber.join(asking)))._tag, "DATABASE_UNAVAILABLE")
  }).pipe(Effect.provide(Layer.provideMerge(NonceHolders.layer, database)))
)

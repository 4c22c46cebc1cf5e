import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { FORGOTTEN_AT_ONCE, forgetAddresses } from "../../src/accounts/AddressCleanup.ts"
import { migrate } from "../../src/database/Migrations.ts"
import { poolLayer } from "../../src/database/Pool.ts"
import { packageRoot } from "../../src/settings/PackageRoot.ts"
import { scopedDatabase } from "../support/Postgres.ts"

const database = Layer.unwrapScoped(
  Effect.map(scopedDatabase, url =>
    Layer.provideMerge(
      Layer.effectDiscard(migrate(join(packageRoot, "migrations"))),
      poolLayer({ url, connections: 2 })
    )
  )
)

it.scoped("what client addresses did is forgotten once no bound counts it, in batches", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const many = FORGOTTEN_AT_ONCE + 1
    yield* sql`INSERT INTO address_enrolments
      SELECT unix_seconds() / 86400 - day, i::text, 1 FROM generate_series(0, 1) day, generate_series(1, ${many}) i`
    yield* sql`INSERT INTO address_usage
      SELECT 'wallet', 'a hash', unix_seconds() / 60 - ago, 1 FROM unnest(ARRAY[0, 4, 7, 300]) ago`
    yield* sql`INSERT INTO intent_origins SELECT 'a hash', unix_seconds() - ago FROM unnest(ARRAY[0, 3500, 3700, 90000]) ago`
    assert.strictEqual(yield* forgetAddresses, many + 2 + 2)
    const left = yield* sql<{ enrolments: number; usage: number; origins: number }>`
      SELECT (SELECT count(*) FROM address_enrolments) AS enrolments, (SELECT count(*) FROM address_usage) AS usage,
        (SELECT count(*) FROM intent_origins) AS origins`
    assert.deepStrictEqual(left, [{ enrolments: many, usage: 2, origins: 2 }])
    assert.strictEqual(yield* forgetAddresses, 0)
  }).pipe(Effect.provide(database))
)

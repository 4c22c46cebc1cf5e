import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { databaseListing } from "../../scripts/schema/DatabaseListing.ts"
import { migrate } from "../../src/database/Migrations.ts"
import { poolLayer } from "../../src/database/Pool.ts"
import { scopedDatabase } from "../support/Postgres.ts"

it.scopedLive("the committed schema is what the migrations build; npm run schema writes it", () =>
  Effect.gen(function* () {
    const url = yield* scopedDatabase
    const listing = yield* Effect.provide(
      Effect.zipRight(migrate("migrations"), databaseListing),
      poolLayer({ url, connections: 2 })
    )
    assert.strictEqual(listing, readFileSync("schema/database.sql", "utf8"))
  })
)

/** How often the database is looked at for the figures that all replicas share. */
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Metric, TestClock } from "effect"
import { migrate } from "../../src/database/Migrations.ts"
import { poolLayer } from "../../src/database/Pool.ts"
import { makeStock } from "../../src/http/ops/Stock.ts"
import { packageRoot } from "../../src/settings/PackageRoot.ts"
import { showAll } from "../../src/telemetry/AtScrape.ts"
import { scopedDatabase } from "../support/Postgres.ts"

const database = Layer.unwrapScoped(Effect.map(scopedDatabase, url => poolLayer({ url, connections: 2 })))

const areShown = Effect.map(Effect.zipRight(showAll, Metric.snapshot), pairs =>
  pairs.some(({ metricKey }) => metricKey.name === "service_plans")
)

it.scoped("a look that failed is repeated no sooner than one that did not", () =>
  Effect.gen(function* () {
    const look = yield* makeStock
    yield* look
    yield* migrate(join(packageRoot, "migrations"))
    yield* look
    assert.isFalse(yield* areShown)
    yield* TestClock.adjust("5 seconds")
    yield* look
    assert.isTrue(yield* areShown)
  }).pipe(Effect.provide(database))
)

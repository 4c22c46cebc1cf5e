/** How often the database is looked at for the figures that all replicas share. */
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Metric, MetricState, TestClock } from "effect"
import { migrate } from "../../src/database/Migrations.ts"
import { poolLayer } from "../../src/database/Pool.ts"
import { makeStock } from "../../src/http/ops/Stock.ts"
import { packageRoot } from "../../src/settings/PackageRoot.ts"
import { showAll } from "../../src/telemetry/AtScrape.ts"
import { scopedDatabase } from "../support/Postgres.ts"

const database = Layer.unwrapScoped(Effect.map(scopedDatabase, url => poolLayer({ url, connections: 2 })))

/** Of the figures, in seconds; since the start where there are none. */
const shownAge = Effect.map(Effect.zipRight(showAll, Metric.snapshot), pairs => {
  const { metricState } =
    pairs.find(({ metricKey }) => metricKey.name === "service_stock_age_seconds") ?? assert.fail("no age")
  return MetricState.isGaugeState(metricState) ? metricState.value : assert.fail("no gauge")
})

it.scoped("a look that failed is repeated no sooner than one that did not", () =>
  Effect.gen(function* () {
    const look = yield* makeStock
    yield* look
    yield* migrate(join(packageRoot, "migrations"))
    yield* TestClock.adjust("3 seconds")
    yield* look
    assert.strictEqual(yield* shownAge, 3)
    yield* TestClock.adjust("2 seconds")
    yield* look
    assert.strictEqual(yield* shownAge, 0)
  }).pipe(Effect.provide(database))
)

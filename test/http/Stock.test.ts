/** How often the database is looked at for the figures that all replicas share, and which of them are whose. */
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Metric, MetricState, Redacted, TestClock } from "effect"
import { migrate } from "../../src/database/Migrations.ts"
import { poolLayer } from "../../src/database/Pool.ts"
import { makeStock } from "../../src/http/ops/Stock.ts"
import { packageRoot } from "../../src/settings/PackageRoot.ts"
import { Settings } from "../../src/settings/Settings.ts"
import { showAll } from "../../src/telemetry/AtScrape.ts"
import { scopedDatabase } from "../support/Postgres.ts"
import { testSettings } from "../support/Settings.ts"

const database = Layer.unwrapScoped(Effect.map(scopedDatabase, url => poolLayer({ url, connections: 2 })))

const sponsoredBy = (providerUrl: string | undefined) => {
  const settings = testSettings()
  const provider = providerUrl === undefined ? undefined : Redacted.make(providerUrl)
  return Layer.succeed(Settings, {
    ...settings,
    sponsorship: { ...settings.sponsorship, providerUrl: provider }
  })
}

const migrated = migrate(join(packageRoot, "migrations"))

/** Of a gauge without labels, or with this one. */
const shown = (name: string, label?: string) =>
  Effect.map(Effect.zipRight(showAll, Metric.snapshot), pairs => {
    const found = pairs.find(
      ({ metricKey }) =>
        metricKey.name === name && (label === undefined || metricKey.tags[0]?.value === label)
    )
    const { metricState } = found ?? assert.fail(`no ${name}`)
    return MetricState.isGaugeState(metricState) ? Number(metricState.value) : assert.fail("no gauge")
  })

/** In seconds; since the start where there are none. */
const shownAge = shown("service_stock_age_seconds")

it.scoped("a look that failed is repeated no sooner than one that did not", () =>
  Effect.gen(function* () {
    const look = yield* makeStock
    yield* look
    yield* migrated
    yield* TestClock.adjust("3 seconds")
    yield* look
    assert.strictEqual(yield* shownAge, 3)
    yield* TestClock.adjust("2 seconds")
    yield* look
    assert.strictEqual(yield* shownAge, 0)
  }).pipe(Effect.provide(Layer.merge(database, sponsoredBy(undefined))))
)

/** Of no sponsorship that is stored. */
const DUE_QUOTE = `SET LOCAL session_replication_role = replica;
  INSERT INTO publications (sponsorship, submission_hash, signatures, token, reserved_at, expires_at, outcome, settled_at, bundle_id, quote)
  VALUES (gen_random_uuid(), '', '{}', gen_random_uuid(), 0, 0, 'answered', unix_millis() - 600000, gen_random_uuid(), '{}')`

const dueSince = (providerUrl: string | undefined) =>
  Effect.gen(function* () {
    yield* migrated
    const sql = yield* SqlClient.SqlClient
    yield* sql.withTransaction(sql.unsafe(DUE_QUOTE))
    yield* yield* makeStock
    return yield* shown("service_sweep_lag_seconds", "quotes")
  }).pipe(Effect.provide(Layer.merge(database, sponsoredBy(providerUrl))))

it.scoped("quotes are due where there is a provider to ask about them, and nowhere else", () =>
  Effect.gen(function* () {
    assert.isAbove(yield* dueSince("https://provider.example"), 500)
    assert.strictEqual(yield* dueSince(undefined), 0)
  })
)

it.scoped("the sizes are those of every table", () =>
  Effect.gen(function* () {
    yield* migrated
    const sql = yield* SqlClient.SqlClient
    yield* yield* makeStock
    const tables = yield* sql<{ readonly name: string }>`
      SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`
    assert.isAbove(tables.length, 30)
    for (const { name } of tables) assert.isAtLeast(yield* shown("service_table_bytes", name), 0)
  }).pipe(Effect.provide(Layer.merge(database, sponsoredBy(undefined))))
)

import { assert, it } from "@effect/vitest"
import { Effect, Redacted, TestClock } from "effect"
import { DatabaseClock } from "../../src/database/DatabaseClock.ts"
import { poolLayer } from "../../src/database/Pool.ts"
import { migratedDatabase } from "../support/MigratedDatabase.ts"
import { sqlOn } from "../support/Sql.ts"

const stopped = (url: string, millis: number) =>
  Effect.promise(() =>
    sqlOn(
      url,
      `CREATE OR REPLACE FUNCTION unix_millis() RETURNS bigint LANGUAGE sql VOLATILE AS $$ SELECT ${millis}::bigint $$`
    )
  )

it.effect("knows the database's time from the start, and again after either clock was set", () =>
  Effect.gen(function* () {
    const { url } = yield* Effect.acquireRelease(Effect.promise(migratedDatabase), made =>
      Effect.promise(made.drop)
    )
    yield* stopped(url, 1_700_000_000_000)
    yield* Effect.gen(function* () {
      const clock = yield* DatabaseClock
      assert.strictEqual(yield* clock.estimate, 1_700_000_000_000)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* clock.estimate, 1_700_000_001_000)
      yield* stopped(url, 1_900_000_000_000)
      yield* TestClock.adjust("9 seconds")
      const healed = Effect.map(clock.estimate, millis => millis >= 1_900_000_000_000)
      yield* Effect.repeat(
        Effect.zipRight(
          Effect.yieldNow(),
          Effect.promise(() => new Promise(setImmediate)).pipe(Effect.zipRight(healed))
        ),
        { until: done => done }
      )
    }).pipe(
      Effect.provide(DatabaseClock.layer),
      Effect.provide(poolLayer({ url: Redacted.make(url), connections: 2 }))
    )
  }).pipe(Effect.scoped)
)

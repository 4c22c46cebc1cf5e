/** A database that lost what was committed in it, by a restore that nobody marked or by a failover that nobody was to notice. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Metric, Redacted, TestClock } from "effect"
import { DatabaseHistory, wentBack } from "../../src/database/DatabaseHistory.ts"
import { poolLayer } from "../../src/database/Pool.ts"
import { Settings } from "../../src/settings/Settings.ts"
import { showAll } from "../../src/telemetry/AtScrape.ts"
import { migratedDatabase } from "../support/MigratedDatabase.ts"
import { testSettings } from "../support/Settings.ts"
import { sqlOn } from "../support/Sql.ts"

const BACK = "UPDATE history SET beats = beats - 1"
const MARKED = "SELECT mark_restored(true)"

interface Place {
  readonly url: string
  readonly dataDirectory: string
}

const place = Effect.acquireRelease(
  Effect.promise(async () => ({
    database: await migratedDatabase(),
    dataDirectory: await mkdtemp(join(tmpdir(), "history-"))
  })),
  ({ database, dataDirectory }) =>
    Effect.promise(async () => {
      await database.drop()
      await rm(dataDirectory, { recursive: true })
    })
).pipe(Effect.map(({ database, dataDirectory }): Place => ({ url: database.url, dataDirectory })))

const on = ({ url }: Place, ...statements: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    for (const statement of statements) await sqlOn(url, statement)
  })

const beats = ({ url }: Place) =>
  Effect.promise(async () => Number(Object((await sqlOn(url, "SELECT beats FROM history"))[0]).beats))

/** As long as a process runs. */
const running = <A, E>({ url, dataDirectory }: Place, work: Effect.Effect<A, E, DatabaseHistory>) =>
  work.pipe(
    Effect.provide(DatabaseHistory.layer),
    Effect.provide(poolLayer({ url: Redacted.make(url), connections: 2 })),
    Effect.provide(Layer.succeed(Settings, testSettings({ dataDirectory })))
  )

const isBehind = Effect.flatMap(DatabaseHistory, history => history.isBehind)

const behindMetric = Effect.gen(function* () {
  yield* showAll
  const pairs = yield* Metric.snapshot
  const found = pairs.find(({ metricKey }) => metricKey.name === "service_database_behind")
  return Object(found?.metricState).value
})

/** The process counts on once more. */
const beaten = (at: Place) =>
  Effect.gen(function* () {
    const before = yield* beats(at)
    while ((yield* beats(at)) === before) yield* TestClock.adjust("10 seconds")
    yield* Effect.promise(() => new Promise(resolve => setImmediate(resolve)))
  })

const untilBehind = (expected: boolean) =>
  Effect.gen(function* () {
    while ((yield* isBehind) !== expected)
      yield* Effect.promise(() => new Promise(resolve => setImmediate(resolve)))
  })

describe("a process that runs", () => {
  it.scoped("sees that its database went back, and that it was marked then", () =>
    Effect.gen(function* () {
      const at = yield* place
      yield* running(
        at,
        Effect.gen(function* () {
          yield* beaten(at)
          assert.isFalse(yield* isBehind)
          assert.strictEqual(yield* behindMetric, 0)
          yield* on(at, BACK, BACK)
          yield* beaten(at)
          yield* untilBehind(true)
          assert.strictEqual(yield* behindMetric, 1)
          yield* beaten(at)
          assert.isTrue(yield* isBehind)
          yield* on(at, MARKED)
          yield* beaten(at)
          yield* untilBehind(false)
        })
      )
    })
  )

  it.scoped("sees that it was given another database", () =>
    Effect.gen(function* () {
      const at = yield* place
      yield* running(
        at,
        Effect.gen(function* () {
          yield* on(at, "UPDATE history SET id = gen_random_uuid(), beats = beats + 100")
          yield* beaten(at)
          yield* untilBehind(true)
        })
      )
    })
  )

  it.scoped("tells others, who knew nothing", () =>
    Effect.gen(function* () {
      const at = yield* place
      const elsewhere = { ...at, dataDirectory: `${at.dataDirectory}/none` }
      yield* running(
        at,
        Effect.gen(function* () {
          yield* on(at, BACK, BACK)
          assert.isFalse(yield* running(elsewhere, isBehind))
          yield* on(at, BACK)
          yield* beaten(at)
          yield* untilBehind(true)
        })
      )
      assert.isTrue(yield* running(elsewhere, isBehind))
    })
  )
})

describe("a process that starts", () => {
  it.scoped("knows what those knew that served with its data directory", () =>
    Effect.gen(function* () {
      const at = yield* place
      yield* running(at, beaten(at))
      assert.isFalse(yield* running(at, isBehind))
      yield* on(at, BACK)
      assert.isTrue(yield* running(at, isBehind))
    })
  )

  it.scoped("is content with a restore that was marked, and with another database", () =>
    Effect.gen(function* () {
      const at = yield* place
      yield* running(at, beaten(at))
      yield* on(at, BACK, MARKED)
      assert.isFalse(yield* running(at, isBehind))
      yield* on(at, "UPDATE history SET id = gen_random_uuid(), beats = 0")
      assert.isFalse(yield* running(at, isBehind))
    })
  )
})

describe("what was known is lost", () => {
  const known = { id: "a", beats: 7, restoredAt: 5 }

  it.each([
    ["where as much or less was counted", { ...known, beats: 7 }, true],
    ["nowhere where more was counted", { ...known, beats: 8 }, false],
    ["where the database is another", { ...known, id: "b", beats: 99 }, true],
    ["though older restores were marked", { ...known, beats: 6, restoredAt: null }, true],
    ["unless a restore was marked since", { ...known, beats: 6, restoredAt: 6 }, false]
  ])("%s", (_, found, expected) => {
    assert.strictEqual(wentBack(known, found), expected)
  })
})

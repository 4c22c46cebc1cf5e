import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, TestClock } from "effect"
import { migrate } from "../../src/database/Migrations.ts"
import { poolLayer } from "../../src/database/Pool.ts"
import { AddressBudget } from "../../src/http/AddressBudget.ts"
import { packageRoot } from "../../src/settings/PackageRoot.ts"
import { Settings } from "../../src/settings/Settings.ts"
import { stopClock } from "../support/DatabaseTime.ts"
import { scopedDatabase } from "../support/Postgres.ts"
import { testSettings } from "../support/Service.ts"

const LIMIT = 3
/** A minute begins at the database. */
const STARTED = 1_800_000_000

const settings = Layer.succeed(Settings, {
  ...testSettings(0, 0, ""),
  quotas: { owner: 1, bots: 1, address: LIMIT, rpc: 1 }
})

class DatabaseUrl extends Context.Tag("DatabaseUrl")<DatabaseUrl, string>() {}

/** So many seconds later. */
const setDatabase = (seconds: number) =>
  Effect.flatMap(DatabaseUrl, url => Effect.promise(() => stopClock(url, STARTED + seconds)))

/** Its clock stands still, so that no minute ends within a test. */
const database = Layer.unwrapScoped(
  Effect.gen(function* () {
    const url = yield* scopedDatabase
    const pool = poolLayer({ url, connections: 4 })
    yield* migrate(join(packageRoot, "migrations")).pipe(Effect.provide(pool))
    const told = Layer.succeed(DatabaseUrl, Redacted.value(url))
    yield* setDatabase(0).pipe(Effect.provide(told))
    return Layer.merge(pool, told)
  })
)

const replica = Effect.map(Layer.build(Layer.fresh(AddressBudget.layer)), context =>
  Effect.provide(AddressBudget, context)
)

const isRefused = (budget: typeof AddressBudget.Service, address: string) =>
  Effect.map(Effect.either(budget.check("discovery", address)), result => result._tag === "Left")

it.scoped("counts an address over all replicas, and each address and kind for itself", () =>
  Effect.gen(function* () {
    const one = yield* yield* replica
    const two = yield* yield* replica
    for (let spent = 0; spent < LIMIT - 1; spent++) yield* one.charge("discovery", "192.0.2.1")
    yield* two.charge("discovery", "192.0.2.1")
    assert.isFalse(yield* isRefused(one, "192.0.2.1"))
    yield* one.share
    yield* two.share
    assert.isTrue(yield* isRefused(two, "192.0.2.1"))
    assert.isFalse(yield* isRefused(two, "192.0.2.2"))
    assert.isTrue((yield* Effect.either(two.check("unauthenticated", "192.0.2.1")))._tag === "Right")
  }).pipe(Effect.provide(database), Effect.provide(settings))
)

it.scoped("counts in the database's minute, whatever the replicas' own clocks say", () =>
  Effect.gen(function* () {
    const late = yield* yield* replica
    for (let spent = 0; spent < LIMIT; spent++) yield* late.charge("discovery", "192.0.2.1")
    yield* late.share
    yield* TestClock.adjust("1 minute")
    const early = yield* yield* replica
    yield* early.charge("discovery", "192.0.2.1")
    yield* early.share
    assert.isTrue(yield* isRefused(early, "192.0.2.1"))
  }).pipe(Effect.provide(database), Effect.provide(settings))
)

it.scoped("counts nothing of a minute that is over at the database, however far ahead its own clock is", () =>
  Effect.gen(function* () {
    yield* setDatabase(59)
    const ahead = yield* yield* replica
    const other = yield* yield* replica
    for (let spent = 0; spent < LIMIT; spent++) yield* other.charge("discovery", "192.0.2.1")
    yield* other.share
    yield* ahead.charge("discovery", "192.0.2.1")
    yield* ahead.share
    const refusal = yield* Effect.flip(ahead.check("discovery", "192.0.2.1"))
    assert.strictEqual(refusal.retryAfterSeconds, 1)
    yield* setDatabase(60)
    yield* TestClock.adjust("1 second")
    for (let spent = 0; spent < LIMIT; spent++) {
      assert.isFalse(yield* isRefused(ahead, "192.0.2.1"))
      yield* ahead.charge("discovery", "192.0.2.1")
    }
    yield* ahead.share
    assert.isTrue(yield* isRefused(ahead, "192.0.2.1"))
  }).pipe(Effect.provide(database), Effect.provide(settings))
)

it.scoped("says when the window ends", () =>
  Effect.gen(function* () {
    const budget = yield* yield* replica
    for (let spent = 0; spent < LIMIT; spent++) yield* budget.charge("unauthenticated", "192.0.2.1")
    const refusal = yield* Effect.flip(budget.check("unauthenticated", "192.0.2.1"))
    assert.strictEqual(refusal.retryAfterSeconds, 60)
  }).pipe(Effect.provide(database), Effect.provide(settings))
)

it.scoped("takes back over all replicas what was charged and shared before it was given back", () =>
  Effect.gen(function* () {
    const one = yield* yield* replica
    const two = yield* yield* replica
    for (let spent = 0; spent < LIMIT; spent++) yield* one.charge("discovery", "192.0.2.3")
    yield* one.share
    assert.isTrue(yield* isRefused(one, "192.0.2.3"))
    for (let spent = 0; spent < LIMIT; spent++) yield* one.giveBack("discovery", "192.0.2.3")
    yield* one.share
    yield* two.charge("discovery", "192.0.2.3")
    yield* two.share
    assert.isFalse(yield* isRefused(one, "192.0.2.3"))
    assert.isFalse(yield* isRefused(two, "192.0.2.3"))
    for (let given = 0; given < LIMIT; given++) yield* one.giveBack("discovery", "192.0.2.3")
    for (let spent = 0; spent < LIMIT; spent++) yield* one.charge("discovery", "192.0.2.3")
    assert.isTrue(yield* isRefused(one, "192.0.2.3"))
  }).pipe(Effect.provide(database), Effect.provide(settings))
)

it.scoped("forgets the oldest alone where more than 100,000 addresses came within a minute", () =>
  Effect.gen(function* () {
    const budget = yield* yield* replica
    const spend = (address: string) => Effect.repeatN(budget.charge("discovery", address), LIMIT - 1)
    const others = Array.from({ length: 50_000 }, (_, index) => index)
    yield* spend("192.0.2.1")
    yield* Effect.forEach(others, index => budget.charge("discovery", `one ${index}`), { discard: true })
    yield* spend("192.0.2.2")
    yield* Effect.forEach(others, index => budget.charge("discovery", `two ${index}`), { discard: true })
    assert.isFalse(yield* isRefused(budget, "192.0.2.1"))
    assert.isTrue(yield* isRefused(budget, "192.0.2.2"))
  }).pipe(Effect.provide(database), Effect.provide(settings))
)

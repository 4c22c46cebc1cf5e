import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { migrate } from "../../src/database/Migrations.ts"
import { poolLayer } from "../../src/database/Pool.ts"
import { AddressBudget } from "../../src/http/AddressBudget.ts"
import { packageRoot } from "../../src/settings/PackageRoot.ts"
import { Settings } from "../../src/settings/Settings.ts"
import { scopedDatabase } from "../support/Postgres.ts"
import { testSettings } from "../support/Service.ts"

const LIMIT = 3

const settings = Layer.succeed(Settings, {
  ...testSettings(0, 0, ""),
  quotas: { owner: 1, bots: 1, address: LIMIT, rpc: 1 }
})

const database = Layer.unwrapScoped(Effect.map(scopedDatabase, url => poolLayer({ url, connections: 4 })))

const replica = Effect.map(Layer.build(Layer.fresh(AddressBudget.layer)), context =>
  Effect.provide(AddressBudget, context)
)

const isRefused = (budget: typeof AddressBudget.Service, address: string) =>
  Effect.map(Effect.either(budget.check("discovery", address)), result => result._tag === "Left")

it.scoped("counts an address over all replicas, and each address and kind for itself", () =>
  Effect.gen(function* () {
    yield* migrate(join(packageRoot, "migrations"))
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

it.scoped("says when the window ends", () =>
  Effect.gen(function* () {
    yield* migrate(join(packageRoot, "migrations"))
    const budget = yield* yield* replica
    for (let spent = 0; spent < LIMIT; spent++) yield* budget.charge("unauthenticated", "192.0.2.1")
    const refusal = yield* Effect.flip(budget.check("unauthenticated", "192.0.2.1"))
    assert.strictEqual(refusal.retryAfterSeconds, 60)
  }).pipe(Effect.provide(database), Effect.provide(settings))
)

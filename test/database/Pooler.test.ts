/** A service behind Debian's pgbouncer. */
import { rm } from "node:fs/promises"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Either, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { poolLayer } from "../../src/database/Pool.ts"
import { type Debian, debian } from "../faults/outages/Cluster.ts"
import { type PoolMode, startPooler } from "../faults/outages/Pooler.ts"
import { INSTALLED_MILLIS } from "../support/Debian.ts"
import { passableDirectory } from "../support/PassableDirectory.ts"
import { freshDatabase } from "../support/Postgres.ts"

const database = await freshDatabase()
let place: Debian
let directory: string

beforeAll(async () => {
  place = await debian()
  directory = await passableDirectory("service-pooler-")
}, INSTALLED_MILLIS)

afterAll(async () => {
  await database.drop()
  await rm(directory, { recursive: true, force: true })
})

/** What a pool says of its bounds and of statements that it names. */
const asked = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [bound] = yield* sql<{ lock_timeout: string }>`SHOW lock_timeout`
  const numbers = yield* Effect.forEach(
    [1, 2],
    number => sql<{ number: number }>`SELECT ${number}::integer AS number`
  )
  return { bound: bound?.lock_timeout, numbers: numbers.flat().map(({ number }) => number) }
})

const through = async (mode: PoolMode) => {
  const pooler = await startPooler(place, directory, mode, database.url)
  try {
    return await asked.pipe(
      Effect.provide(poolLayer({ url: Redacted.make(pooler.url), connections: 2 })),
      Effect.scoped,
      Effect.either,
      Effect.runPromise
    )
  } finally {
    await pooler.stop()
  }
}

describe("pgbouncer", { timeout: 120_000 }, () => {
  it("in session mode is as good as the server: bounds hold, and statements keep their names", async () => {
    assert.deepStrictEqual(await through("session"), Either.right({ bound: "5s", numbers: [1, 2] }))
  })

  it("in transaction mode is refused at the start, with what to set instead", async () => {
    const outcome = await through("transaction")
    assert.isTrue(Either.isLeft(outcome))
    const failure = Either.isLeft(outcome) ? outcome.left : undefined
    assert.strictEqual(failure?._tag, "StartFailure")
    assert.include(String(Object(failure).message), "pool_mode = session")
  })
})

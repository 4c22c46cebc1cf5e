/** A server that vanishes without a word, as a machine that lost its power does: the connection stays, and no answer ever comes. */
import { Socket } from "node:net"
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Redacted } from "effect"
import { afterAll, assert, describe, inject, it, vi } from "vitest"
import { poolLayer, refusingSql } from "../../src/database/Pool.ts"
import { startTcpProxy } from "../support/TcpProxy.ts"

const url = new URL(inject("postgresUrl"))
const link = await startTcpProxy(Number(url.port))
url.port = String(link.port)

afterAll(() => link.close())

const onLink = <A, E>(work: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.flatMap(SqlClient.SqlClient, work).pipe(
    Effect.provide(poolLayer({ url: Redacted.make(url.href), connections: 1, silenceMillis: 2_000 })),
    Effect.runPromise
  )

const asked = (sql: SqlClient.SqlClient) => refusingSql(sql`SELECT ${7}::int AS seven`)

/** Fails where the only connection is still waited for. */
const servesAgain = (sql: SqlClient.SqlClient) =>
  Effect.map(asked(sql), rows => assert.deepStrictEqual(rows, [{ seven: 7 }]))

describe("a database that falls silent", () => {
  it("keeps neither the caller nor the connection", () =>
    onLink(sql =>
      Effect.gen(function* () {
        yield* asked(sql)
        link.hush()
        const { _tag } = yield* Effect.flip(asked(sql))
        assert.strictEqual(_tag, "DATABASE_UNAVAILABLE")
        link.restore()
        yield* servesAgain(sql)
      })
    ))

  it("keeps no transaction either", () =>
    onLink(sql =>
      Effect.gen(function* () {
        const work = Effect.zipRight(
          Effect.sync(() => link.hush()),
          asked(sql)
        )
        const exit = yield* Effect.exit(sql.withTransaction(work))
        assert.strictEqual(exit._tag, "Failure")
        link.restore()
        yield* servesAgain(sql)
      })
    ))

  it("is asked by probes while a statement takes long, so that nothing between forgets the connection", async () => {
    const probing = vi.spyOn(Socket.prototype, "setKeepAlive")
    await onLink(asked)
    const probed = [...probing.mock.calls]
    probing.mockRestore()
    assert.deepStrictEqual(probed, [[true, 30_000]])
  })
})

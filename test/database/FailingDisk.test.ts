/** A server whose disk is full or fails says so by its own codes: a bad day of the database's, and no mistake of a statement's. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Redacted } from "effect"
import { assert, describe, inject, it } from "vitest"
import { poolLayer, refusingSql } from "../../src/database/Pool.ts"
import { loggedBy } from "../support/LogLines.ts"

const raising = (state: string) =>
  Effect.flatMap(SqlClient.SqlClient, sql =>
    refusingSql(sql.unsafe(`DO $$ BEGIN RAISE SQLSTATE '${state}'; END $$`))
  ).pipe(Effect.provide(poolLayer({ url: Redacted.make(inject("postgresUrl")), connections: 1 })))

describe("a server whose disk", () => {
  it.each([
    ["is full", "53100"],
    ["cannot be read or written", "58030"],
    ["has lost a file", "58P01"]
  ])("%s is unavailable", async (_, state) => {
    const { _tag } = await Effect.runPromise(Effect.flip(raising(state)))
    assert.strictEqual(_tag, "DATABASE_UNAVAILABLE")
  })

  it("is not what a statement's own fault speaks of", async () => {
    const exit = await Effect.runPromiseExit(raising("22012"))
    assert.isTrue(exit._tag === "Failure" && exit.cause._tag === "Die")
  })

  it("has its code in the log, once a minute for each", async () => {
    const raised = Effect.all([raising("53200"), raising("53200"), raising("53300")].map(Effect.flip))
    const lines = await loggedBy(raised)
    assert.deepStrictEqual(lines, [
      { level: "WARN", text: "the database refuses", reason: "53200" },
      { level: "WARN", text: "the database refuses", reason: "53300" }
    ])
  })
})

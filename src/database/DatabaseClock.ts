/** The database's time decides; each process keeps its offset to it only for cheap early refusals. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Clock, Context, Effect, Layer, Ref } from "effect"
import type { DatabaseUnavailable } from "./refusals.ts"
import { refusingSql } from "./SqlFailure.ts"

export class DatabaseClock extends Context.Tag("database/DatabaseClock")<
  DatabaseClock,
  {
    /** The database's Unix milliseconds, by a round trip; inside a transaction on its connection. */
    readonly millis: Effect.Effect<number, DatabaseUnavailable>
    /** The database's Unix milliseconds as this process last learned its offset; no round trip, no verdict. */
    readonly estimate: Effect.Effect<number>
    readonly learn: (databaseMillis: number) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    DatabaseClock,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const offset = yield* Ref.make(0)
      const learn = (databaseMillis: number) =>
        Effect.flatMap(Clock.currentTimeMillis, local => Ref.set(offset, databaseMillis - local))
      const read = Effect.map(
        sql<{ millis: number }>`SELECT unix_millis() AS millis`,
        rows => rows[0]?.millis ?? 0
      )
      return {
        millis: refusingSql(read).pipe(Effect.tap(learn)),
        estimate: Effect.zipWith(
          Clock.currentTimeMillis,
          Ref.get(offset),
          (local, difference) => local + difference
        ),
        learn
      }
    })
  )
}

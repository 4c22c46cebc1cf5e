/** The database's time decides; each process keeps its offset to it only for cheap early refusals. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Schedule } from "effect"
import { refusingSql } from "./Pool.ts"
import type { DatabaseUnavailable } from "./refusals.ts"

/** Heals the offset after either clock was set, when early refusals would keep every request from the ledger. */
const REFRESH = "10 seconds"

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
  static readonly layer = Layer.scoped(
    DatabaseClock,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const clock = yield* Effect.clock
      let offset = 0
      const learn = (databaseMillis: number) =>
        Effect.sync(() => {
          offset = databaseMillis - clock.unsafeCurrentTimeMillis()
        })
      const read = Effect.map(
        sql<{ millis: number }>`SELECT unix_millis() AS millis`,
        rows => rows[0]?.millis ?? 0
      )
      const millis = refusingSql(read).pipe(Effect.tap(learn))
      yield* millis
      yield* Effect.ignore(millis).pipe(
        Effect.catchAllDefect(defect => Effect.logError("the database's time cannot be read", defect)),
        Effect.schedule(Schedule.spaced(REFRESH)),
        Effect.forkScoped
      )
      return {
        millis,
        estimate: Effect.sync(() => clock.unsafeCurrentTimeMillis() + offset),
        learn
      }
    })
  )
}

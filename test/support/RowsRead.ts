/** How much PostgreSQL reads for a piece of work, which neither the machine nor what else it does changes. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"

const READ = `SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::integer AS rows FROM pg_stat_xact_user_tables`

const rowsSoFar = Effect.flatMap(SqlClient.SqlClient, sql =>
  Effect.map(sql.unsafe<{ rows: number }>(READ), ([row]) => row?.rows ?? 0)
)

/** Rows of all tables, found by an index or row by row, that the work's statements read; it has to ask in this fiber. */
export const rowsRead = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient.SqlClient, sql =>
    sql.withTransaction(
      Effect.gen(function* () {
        const before = yield* rowsSoFar
        const made = yield* work
        return { made, rows: (yield* rowsSoFar) - before }
      })
    )
  )

/** Forgets what client addresses did, once no bound counts it any more, whether or not anybody comes. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { whileFull } from "../database/Batches.ts"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"

export const FORGOTTEN_AT_ONCE = 10_000
/** A bound counts the minute alone; replicas' answers about it come later. */
const KEPT_MINUTES = 5

/** The clock is read once as a sub-select, so that the index on the time serves. */
const kept = [
  { table: "address_usage", at: "minute", before: `unix_seconds() / 60 - ${KEPT_MINUTES}` },
  { table: "address_enrolments", at: "day", before: "unix_seconds() / 86400" },
  { table: "intent_origins", at: "created_at", before: "unix_seconds() - 3600" }
] as const

/** How many were forgotten. */
export const forgetAddresses: Effect.Effect<number, DatabaseUnavailable, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const forgotten = yield* Effect.forEach(kept, ({ table, at, before }) =>
      whileFull(
        FORGOTTEN_AT_ONCE,
        sql
          .unsafe<{ gone: number }>(
            `WITH gone AS (DELETE FROM ${table} WHERE ctid = ANY (ARRAY (
              SELECT ctid FROM ${table} WHERE ${at} < (SELECT ${before}) ORDER BY ${at} LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED
            )) RETURNING 1)
            SELECT count(*)::integer AS gone FROM gone`
          )
          .pipe(
            refusingSql,
            Effect.map(([row]) => row?.gone ?? 0)
          )
      )
    )
    return forgotten.reduce((sum, count) => sum + count, 0)
  }
).pipe(Effect.withSpan("AddressCleanup.forget"))

/** Forgets nonces whose signed window is over, and usage that no quota or bound reads any more, apart from any request. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Layer, Metric, Schedule } from "effect"
import { whileFull } from "../database/Batches.ts"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { type CountingRounds, countingRounds } from "../telemetry/Rounds.ts"
import { forgetAddresses } from "./AddressCleanup.ts"

export const CLEANUP_BATCH = 10_000
const INTERVAL = "10 seconds"
const USAGE_MINUTES = 10
/** By so much the database's clock may be set back, as by a fail-over, before a request whose window was over could come again. */
const KEPT_SECONDS = 60

const removed = Metric.counter("service_nonces_removed_total", {
  description: "Expired nonces that the cleanup removed.",
  incremental: true
})

interface Count {
  readonly gone: number
}

/** The clock is read once as a sub-select, so that the index on the expiry serves; what is locked is removed at its place, since a join would read the whole table. */
const removeBatch = (sql: SqlClient.SqlClient) => sql<Count>`
  WITH gone AS (
    DELETE FROM request_nonces WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM request_nonces WHERE expires_at <= (SELECT unix_seconds()) - ${KEPT_SECONDS}::bigint
      ORDER BY expires_at LIMIT ${CLEANUP_BATCH} FOR UPDATE SKIP LOCKED
    )) RETURNING 1
  )
  SELECT count(*) AS gone FROM gone`

const removeUsage = (sql: SqlClient.SqlClient) => sql<Count>`
  WITH gone AS (
    DELETE FROM request_usage WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM request_usage WHERE minute < (SELECT unix_seconds()) / 60 - ${USAGE_MINUTES}
      ORDER BY minute LIMIT ${CLEANUP_BATCH} FOR UPDATE SKIP LOCKED
    )) RETURNING 1
  )
  SELECT count(*) AS gone FROM gone`

const goneIn = ([count]: ReadonlyArray<Count>): number => count?.gone ?? 0

const removing = (batch: Effect.Effect<ReadonlyArray<Count>, SqlError>) =>
  whileFull(CLEANUP_BATCH, Effect.map(refusingSql(batch), goneIn))

export const removeExpired: Effect.Effect<
  { readonly nonces: number; readonly usage: number },
  DatabaseUnavailable,
  SqlClient.SqlClient
> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const nonces = yield* removing(removeBatch(sql))
  yield* Metric.incrementBy(removed, nonces)
  return { nonces, usage: yield* removing(removeUsage(sql)) }
}).pipe(Effect.withSpan("NonceCleanup.removeExpired"))

const roundOf = (counting: CountingRounds) =>
  counting(Effect.zipRight(removeExpired, forgetAddresses)).pipe(
    Effect.catchAll(({ _tag }) => Effect.logWarning("what is over waits for the next cleanup", _tag)),
    Effect.catchAllDefect(defect => Effect.logError("expired nonces cannot be removed", defect))
  )

export const nonceCleanup = Layer.scopedDiscard(
  Effect.flatMap(countingRounds("nonces"), counting =>
    Effect.forkScoped(Effect.repeat(roundOf(counting), Schedule.spaced(INTERVAL)))
  )
)

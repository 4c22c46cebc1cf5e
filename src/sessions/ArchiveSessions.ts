/** Thirty days after a session is over and reserves nothing it stops counting against its account, and its key goes with it; its names stay used. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { refusingSql } from "../database/Pool.ts"
import { sweepForever } from "../dispatch/SweepForever.ts"

const KEPT_MS = 30 * 86_400_000
const PAGE = 500

/** How many were archived. */
export const archiveSessions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    WITH ended AS (
      SELECT s.id FROM sessions s WHERE s.archived_at IS NULL AND s.sweep_at IS NULL
        AND greatest(s.valid_until * 1000, s.updated_at) < (SELECT unix_millis()) - ${KEPT_MS}::bigint
        AND NOT EXISTS (SELECT 1 FROM wallet_generations g WHERE g.session = s.id)
      ORDER BY greatest(s.valid_until * 1000, s.updated_at) LIMIT ${PAGE} FOR UPDATE SKIP LOCKED
    ), keys AS (
      DELETE FROM idempotency_keys k WHERE k.subject = ANY (ARRAY (SELECT id FROM ended)) AND k.kind = 'session' RETURNING k.*
    ), moved AS (
      INSERT INTO idempotency_archive SELECT * FROM keys
    )
    UPDATE sessions SET archived_at = unix_millis() WHERE id = ANY (ARRAY (SELECT id FROM ended)) RETURNING id`
  return rows.length
}).pipe(refusingSql, Effect.withSpan("Session.archive"))

export const sessionArchiveWorker = Layer.scopedDiscard(
  Effect.forkScoped(
    sweepForever(archiveSessions, {
      worker: "session-archive",
      page: PAGE,
      between: "1 second",
      idle: "1 hour"
    })
  )
)

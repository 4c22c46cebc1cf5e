/** Thirty days after a plan has ended it stops counting against its account, and so do its sponsorships and operations; its idempotency keys go with it. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Layer, Schedule } from "effect"
import { whileFull } from "../database/Batches.ts"
import { refusingSql } from "../database/Pool.ts"
import { type CountingRounds, countingRounds } from "../telemetry/Rounds.ts"

const KEPT_MS = 30 * 86_400_000
const PAGE = 500

/** How many plans were archived; permanent bindings and wallet nonces stay where they are. The clock is a sub-select for the index, and the page an array, by whose keys alone the rows are found. */
export const archivePage = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    WITH ended AS (
      SELECT id FROM plans WHERE archived_at IS NULL AND sweep_at IS NULL
        AND greatest(expires_at, changed_at) < (SELECT unix_millis()) - ${KEPT_MS}::bigint
      ORDER BY greatest(expires_at, changed_at) LIMIT ${PAGE} FOR UPDATE SKIP LOCKED
    ), keys AS (
      DELETE FROM idempotency_keys k WHERE k.plan = ANY (ARRAY (SELECT id FROM ended)) RETURNING k.*
    ), moved AS (
      INSERT INTO idempotency_archive SELECT * FROM keys
    ), sponsored AS (
      UPDATE sponsorships SET archived_at = unix_millis() WHERE plan = ANY (ARRAY (SELECT id FROM ended))
    ), operated AS (
      UPDATE user_operations SET archived_at = unix_millis() WHERE plan = ANY (ARRAY (SELECT id FROM ended))
    )
    UPDATE plans SET archived_at = unix_millis() WHERE id = ANY (ARRAY (SELECT id FROM ended)) RETURNING id`
  return rows.length
}).pipe(refusingSql, Effect.withSpan("Archive.page"))

const archiveAll = Effect.asVoid(whileFull(PAGE, archivePage))

const roundOf = (counting: CountingRounds) =>
  counting(archiveAll).pipe(
    Effect.catchTag("DATABASE_UNAVAILABLE", () =>
      Effect.logWarning("ended plans could not be archived; trying again")
    ),
    Effect.catchAllDefect(defect => Effect.logError("ended plans cannot be archived", defect))
  )

export const archiveWorker = Layer.scopedDiscard(
  Effect.flatMap(countingRounds("archive"), counting =>
    Effect.forkScoped(Effect.repeat(roundOf(counting), Schedule.spaced("1 hour")))
  )
)

/** Which plans recovery looks at next: a claimed page, each plan backing off by itself. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import type { DueRow } from "./RowsByChains.ts"
import type { KeptPlace } from "./SearchHeads.ts"

export const PAGE = 50
const LONGEST_BACKOFF_MS = 60_000
/** Of what is pending for hours: a hundredth of that, up to this. */
const LONGEST_OF_OLD_MS = 600_000
const NEXT_PART_MS = 2_000

/** Makes the plans of what was searched partway due again, as if they were young; one that somebody holds keeps its back-off. */
export const searchedOn = (sql: SqlClient.SqlClient, { isPartway }: KeptPlace) =>
  sql`UPDATE plans SET sweep_at = least(sweep_at, unix_millis() + ${NEXT_PART_MS}::bigint), sweep_attempts = 0
    WHERE id IN (SELECT p.id FROM plans p WHERE ${isPartway}::boolean AND p.sweep_at IS NOT NULL
      AND p.id IN (SELECT plan FROM searched) FOR NO KEY UPDATE OF p SKIP LOCKED)`

export class SweepStore extends Context.Tag("dispatch/SweepStore")<
  SweepStore,
  {
    /** Takes the plans that are due; no other replica gets them before their back-off is over. */
    readonly claimPage: Effect.Effect<ReadonlyArray<DueRow>, DatabaseUnavailable>
    readonly oldestPendingSeconds: Effect.Effect<number, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    SweepStore,
    Effect.map(SqlClient.SqlClient, sql => ({
      claimPage: sql<DueRow>`
        UPDATE plans SET sweep_attempts = sweep_attempts + 1,
          sweep_at = unix_millis() + least((1000 * power(2, least(sweep_attempts, 10)))::bigint,
            least(greatest(${LONGEST_BACKOFF_MS}::bigint, (unix_millis() - pending_since) / 100), ${LONGEST_OF_OLD_MS}::bigint))
        WHERE id = ANY (ARRAY (SELECT id FROM plans WHERE sweep_at <= (SELECT unix_millis())
          ORDER BY sweep_at, id LIMIT ${PAGE} FOR UPDATE SKIP LOCKED))
        RETURNING id, (SELECT coalesce(string_agg(DISTINCT call ->> 'chainId', ','), '') FROM json_array_elements(terms -> 'calls') call) AS chains`.pipe(
        refusingSql,
        Effect.withSpan("Recovery.claimPage")
      ),
      oldestPendingSeconds: sql<{ age: number }>`
        SELECT coalesce((unix_millis() - min(pending_since)) / 1000, 0)::bigint AS age FROM plans
        WHERE sweep_at IS NOT NULL`.pipe(
        Effect.map(rows => rows[0]?.age ?? 0),
        refusingSql
      )
    }))
  )
}

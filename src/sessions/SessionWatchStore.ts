/** The SQL of what is seen of sessions, and of which are to be looked at next. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import type { DueRow } from "../dispatch/RowsByChains.ts"
import type { JudgedSession } from "./JudgeSession.ts"
import { SESSION_RECORDS } from "./SessionRecords.ts"
import { type StoredSession, sessionFromRow } from "./SessionRow.ts"

export const SESSIONS_PAGE = 50

const LONGEST_BACKOFF_MS = 3_600_000
/** How often a session is looked at that may be used, enabled or revoked any moment. */
const LOOK_MS = 30_000
/** Of one that only waits to be revoked; longer the longer it is over: whoever is to enable another one of its wallet has it looked at. */
const IDLE_LOOK_MS = 600_000
const LONGEST_IDLE_LOOK_MS = 86_400_000

const idleLook = ({ now, validUntil }: StoredSession): number =>
  Math.min(Math.max(IDLE_LOOK_MS, Math.floor((now - validUntil * 1000) / 8)), LONGEST_IDLE_LOOK_MS)

const BY_ID = `SELECT ${SESSION_RECORDS} WHERE s.id = $1::uuid`
const RECORD = `SELECT record_session($1::uuid, $2, $3::json, $4, $5, $6::json, $7, $8) AS recorded`

/** None is admitted, or its guard was seen at a later block than its plan can be executed in. */
const isRevocationOver = ({ revocation }: StoredSession, { observation }: JudgedSession): boolean =>
  revocation === undefined || Number(observation?.shown.evidence.timestamp ?? 0) * 1000 > revocation.expiresAt

const isIdle = (stored: StoredSession, judged: JudgedSession): boolean =>
  !judged.live &&
  judged.observation?.status !== "revoked" &&
  isRevocationOver(stored, judged) &&
  (judged.invalidation?.permanent === true || stored.now >= stored.validUntil * 1000)

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))

/** What a guard said that cannot be believed makes no earlier look younger. */
const lookedAt = (stored: StoredSession, { observation }: JudgedSession): number | null =>
  (observation === stored.observation ? stored.observedAt : observation?.shown.observedAt) ?? null

export class SessionWatchStore extends Context.Tag("sessions/SessionWatchStore")<
  SessionWatchStore,
  {
    readonly byId: (id: string) => Effect.Effect<StoredSession, DatabaseUnavailable>
    /** Whether nothing of it had changed meanwhile. */
    readonly record: (
      stored: StoredSession,
      judged: JudgedSession
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Takes those that are due; no other replica gets them before their back-off is over. */
    readonly claimPage: Effect.Effect<ReadonlyArray<DueRow>, DatabaseUnavailable>
    /** Of these, how many gave their wallet free without ever having been enabled. */
    readonly release: (ids: ReadonlyArray<string>) => Effect.Effect<number, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    SessionWatchStore,
    Effect.map(SqlClient.SqlClient, sql => ({
      byId: (id: string) =>
        sql.unsafe(BY_ID, [id]).pipe(
          refusingSql,
          Effect.flatMap(([row]) => sessionFromRow(row))
        ),
      record: (stored: StoredSession, judged: JudgedSession) =>
        sql
          .unsafe<{ recorded: boolean }>(RECORD, [
            stored.id,
            stored.revision,
            json(judged.observation),
            lookedAt(stored, judged),
            judged.live,
            json(judged.invalidation),
            judged.retired,
            isIdle(stored, judged) ? idleLook(stored) : LOOK_MS
          ])
          .pipe(
            refusingSql,
            Effect.map(([row]) => row?.recorded === true)
          ),
      claimPage: sql<DueRow>`
        UPDATE sessions SET sweep_attempts = sweep_attempts + 1,
          sweep_at = unix_millis() + least(${LONGEST_BACKOFF_MS}::bigint, (${LOOK_MS}::bigint * power(2, least(sweep_attempts, 10)))::bigint)
        WHERE id = ANY (ARRAY (SELECT id FROM sessions WHERE sweep_at <= (SELECT unix_millis())
          ORDER BY sweep_at, id LIMIT ${SESSIONS_PAGE} FOR UPDATE SKIP LOCKED))
        RETURNING id, chain_id::text AS chains`.pipe(refusingSql),
      release: (ids: ReadonlyArray<string>) =>
        sql<{ released: number }>`SELECT release_generations(${ids}::uuid[]) AS released`.pipe(
          Effect.map(([row]) => row?.released ?? 0),
          refusingSql
        )
    }))
  )
}

/** What workers ask of an empty and of a filled database: pages of recovery, of the archive and of the cleanup, with the same work to do in both. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Layer, Redacted } from "effect"
import { removeExpired } from "../src/accounts/NonceCleanup.ts"
import { poolLayer } from "../src/database/Pool.ts"
import { SweepStore } from "../src/dispatch/SweepStore.ts"
import { archivePage } from "../src/plans/Archive.ts"

const DUE_PLANS = 500
const ENDED_PLANS = 500
const OVER = 10_000

const dueForRecovery = Effect.flatMap(
  SqlClient.SqlClient,
  sql => sql`UPDATE plans SET sweep_at = unix_millis() - 1000, pending_since = unix_millis(), sweep_attempts = 0
    WHERE id IN (SELECT id FROM plans WHERE sweep_at IS NULL AND archived_at IS NULL
      ORDER BY created_at DESC LIMIT ${DUE_PLANS})`
)

const dueForArchive = Effect.flatMap(
  SqlClient.SqlClient,
  sql => sql`UPDATE plans SET created_at = 0, expires_at = 0, changed_at = 0
    WHERE id IN (SELECT id FROM plans WHERE sweep_at IS NULL AND archived_at IS NULL ORDER BY created_at LIMIT ${ENDED_PLANS})`
)

const over = Effect.flatMap(SqlClient.SqlClient, sql =>
  Effect.zipRight(
    sql`INSERT INTO request_nonces
      SELECT a.number, sha256((random()::text || i)::bytea), unix_seconds() - 3600
      FROM (SELECT number FROM accounts ORDER BY number LIMIT 100) a, generate_series(1, ${OVER / 100}) AS t (i)`,
    sql`INSERT INTO request_usage SELECT a.number, unix_seconds() / 60 - 20 - i, 1, 0
      FROM (SELECT number FROM accounts ORDER BY number LIMIT 100) a, generate_series(1, ${OVER / 100}) AS t (i)`
  )
)

const oldestPending = Effect.flatMap(SweepStore, ({ oldestPendingSeconds }) => oldestPendingSeconds)

const looks = {
  "recovery, a page of 50 plans": {
    before: dueForRecovery,
    look: Effect.flatMap(SweepStore, ({ claimPage }) => claimPage)
  },
  "recovery, the oldest pending plan": { before: Effect.void, look: oldestPending },
  "archive, a page of 500 plans": { before: dueForArchive, look: archivePage },
  "cleanup, 10,000 nonces and 10,000 quotas": { before: over, look: removeExpired },
  "cleanup, nothing to do": { before: Effect.void, look: removeExpired }
}

export type LookName = keyof typeof looks

export const LOOKS: ReadonlyArray<LookName> = [
  "recovery, a page of 50 plans",
  "recovery, the oldest pending plan",
  "archive, a page of 500 plans",
  "cleanup, 10,000 nonces and 10,000 quotas",
  "cleanup, nothing to do"
]

/** Milliseconds of each look, without the pauses that workers make. */
export const lookAt = (url: string): Promise<ReadonlyMap<LookName, number>> =>
  Effect.gen(function* () {
    const found = new Map<LookName, number>()
    for (const name of LOOKS) {
      yield* looks[name].before
      const began = performance.now()
      yield* looks[name].look
      found.set(name, performance.now() - began)
    }
    return found
  }).pipe(
    Effect.provide(
      Layer.provideMerge(SweepStore.layer, poolLayer({ url: Redacted.make(url), connections: 2 }))
    ),
    Effect.scoped,
    Effect.runPromise
  )

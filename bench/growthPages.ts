/** What workers ask of an empty and of a filled database: pages of recovery, of the archive and of the cleanup, with the same work to do in both. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Layer, Redacted } from "effect"
import { removeExpired } from "../src/accounts/NonceCleanup.ts"
import { poolLayer } from "../src/database/Pool.ts"
import { SweepStore } from "../src/dispatch/SweepStore.ts"
import { readStock } from "../src/http/ops/StockRead.ts"
import { archivePage } from "../src/plans/Archive.ts"
import { archiveSessions } from "../src/sessions/ArchiveSessions.ts"
import { SessionWatchStore } from "../src/sessions/SessionWatchStore.ts"
import { QuoteStore } from "../src/sponsorship/QuoteStore.ts"
import { rowsRead } from "../test/support/RowsRead.ts"
import { query } from "./support/Database.ts"

const PAGE = 500
const OVER = 10_000
const STEADY = 1_000

type Statement = string

/** As many are due in both; the rest of what was due is for later. */
const due = (table: string, of: string): ReadonlyArray<Statement> => [
  `UPDATE ${table} SET sweep_at = unix_millis() + 3600000 WHERE sweep_at < unix_millis() + 3600000`,
  `UPDATE ${table} SET sweep_at = unix_millis() - 1000, sweep_attempts = 0 WHERE id IN (SELECT id FROM ${table}
    WHERE ${of} ORDER BY created_at DESC LIMIT 50)`
]

const copyOf = (table: string, from: string, own: string, count: number): Statement =>
  `INSERT INTO ${table} SELECT r.* FROM (SELECT t FROM ${table} t WHERE ${from} LIMIT 1) one, generate_series(1, ${count}) AS g (i),
    jsonb_populate_record(one.t, jsonb_build_object(${own})) r`

const ENDED =
  "'created_at', 0, 'expires_at', 0, 'changed_at', 0, 'archived_at', NULL, 'sweep_at', NULL, 'pending_since', NULL"

/** Plans that nobody has archived, each with a key. */
const endedPlans: ReadonlyArray<Statement> = [
  copyOf("plans", "sweep_at IS NULL", `'id', md5('ended ' || i || clock_timestamp())::uuid, ${ENDED}`, PAGE),
  `INSERT INTO idempotency_keys SELECT r.* FROM (SELECT k FROM idempotency_keys k WHERE plan IS NOT NULL LIMIT 1) one, plans p,
    jsonb_populate_record(one.k, jsonb_build_object('plan', p.id, 'account', p.account, 'key', p.id)) r
    WHERE p.archived_at IS NULL AND p.sweep_at IS NULL AND greatest(p.expires_at, p.changed_at) < 1`
]

const SPENT =
  "'id', md5('ended ' || i || clock_timestamp())::uuid, 'nonce', md5('n' || i || clock_timestamp()), 'permission_id', md5('p' || i || clock_timestamp())"

const endedSessions: ReadonlyArray<Statement> = [
  copyOf(
    "sessions",
    "true",
    `${SPENT}, 'generation', (extract(epoch FROM clock_timestamp()) * 1000000)::bigint + i, 'valid_until', 1, 'updated_at', 1, 'archived_at', NULL, 'sweep_at', NULL`,
    PAGE
  )
]

/** As many are over, and none that an earlier hour of requests left. */
const over = (count: number): ReadonlyArray<Statement> => [
  "DELETE FROM request_nonces WHERE expires_at < (SELECT unix_seconds()) - 60",
  "DELETE FROM request_usage WHERE minute < (SELECT unix_seconds()) / 60 - 19",
  `INSERT INTO request_nonces SELECT a.number, sha256((random()::text || i)::bytea), unix_seconds() - 3600
    FROM (SELECT number FROM accounts ORDER BY number LIMIT 100) a, generate_series(1, ${count / 100}) AS t (i)`,
  `INSERT INTO request_usage SELECT a.number, unix_seconds() / 60 - 20 - i, 1, 0
    FROM (SELECT number FROM accounts ORDER BY number LIMIT 100) a, generate_series(1, ${count / 100}) AS t (i)`
]

const cleaned = Effect.map(removeExpired, ({ nonces, usage }) => nonces + usage)

const none = <E, R>(work: Effect.Effect<unknown, E, R>) => Effect.as(work, 0)

const counted = <E, R>(work: Effect.Effect<ReadonlyArray<unknown>, E, R>) =>
  Effect.map(work, ({ length }) => length)

const sweeps = Effect.gen(function* () {
  const plans = yield* SweepStore
  const sessions = yield* SessionWatchStore
  const quotes = yield* QuoteStore
  return {
    "recovery, a page of 50 plans": {
      before: due("plans", "archived_at IS NULL"),
      look: counted(plans.claimPage)
    },
    "recovery, the oldest pending plan": { before: [], look: none(plans.oldestPendingSeconds) },
    "watch of sessions, a page of 50": {
      before: due("sessions", "archived_at IS NULL"),
      look: counted(sessions.claimPage)
    },
    "watch of quotes, nothing to do": { before: [], look: counted(quotes.claimPage) }
  }
})

const removals = {
  "archive, a page of 500 plans": { before: endedPlans, look: archivePage },
  "archive, a page of 500 sessions": { before: endedSessions, look: archiveSessions },
  "cleanup, 10,000 nonces and 10,000 quotas": { before: over(OVER), look: cleaned },
  "cleanup, 1,000 nonces and 1,000 quotas": { before: over(STEADY), look: cleaned },
  "cleanup, nothing to do": { before: [], look: cleaned },
  "figures of the stock": {
    before: [],
    look: Effect.map(readStock(), ({ plans }) => plans.pending + plans.open)
  }
}

/** A look of a worker, without the pauses that it makes. */
export interface Look {
  readonly millis: number
  /** What it was about: rows that were taken, archived or removed. */
  readonly found: number
  /** Rows of all tables that it read. */
  readonly rows: number
  /** Pages of tables and indexes that it touched, in memory or not. */
  readonly pages: number
}

const pagesSoFar = Effect.flatMap(SqlClient.SqlClient, sql =>
  Effect.zipRight(
    sql`SELECT pg_stat_force_next_flush()`,
    Effect.map(
      sql<{
        pages: number
      }>`SELECT coalesce(sum(hits + reads), 0)::bigint AS pages FROM pg_stat_get_backend_io(pg_backend_pid())
        WHERE object = 'relation'`,
      ([row]) => row?.pages ?? 0
    )
  )
)

const looked = <E, R>(look: Effect.Effect<number, E, R>) =>
  Effect.gen(function* () {
    const pagesBefore = yield* pagesSoFar
    const began = performance.now()
    const { made, rows } = yield* rowsRead(look)
    const millis = performance.now() - began
    return { millis, found: made, rows, pages: (yield* pagesSoFar) - pagesBefore } satisfies Look
  })

/** So that a service has nothing of it to do. */
const LATER: Statement = "UPDATE plans SET sweep_at = unix_millis() + 86400000 WHERE sweep_at IS NOT NULL"

/** However long a busy machine takes for the rest, it is looked at for as long as that. */
const UNBOUNDED = "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0"
const SILENCE_MILLIS = 600_000

const preparing = (url: string, statements: ReadonlyArray<Statement>) =>
  Effect.forEach(statements, statement => Effect.promise(() => query(url, statement)), { discard: true })

const looksAt = Effect.fnUntraced(function* (url: string) {
  const sql = yield* SqlClient.SqlClient
  const found = new Map<string, Look>()
  yield* sql.unsafe(UNBOUNDED)
  for (const [name, { before, look }] of Object.entries({ ...(yield* sweeps), ...removals })) {
    yield* preparing(url, before)
    found.set(name, yield* looked(look))
  }
  yield* preparing(url, [LATER])
  return found
})

const stores = Layer.mergeAll(SweepStore.layer, SessionWatchStore.layer, QuoteStore.layer)

/** On a connection that has looked before, so that what it reads of the catalog does not count. */
export const lookAt = (url: string): Promise<ReadonlyMap<string, Look>> => {
  const pool = poolLayer({ url: Redacted.make(url), connections: 1, silenceMillis: SILENCE_MILLIS })
  return Effect.zipRight(looksAt(url), looksAt(url)).pipe(
    Effect.provide(Layer.provideMerge(stores, pool)),
    Effect.scoped,
    Effect.runPromise
  )
}

/** The figures that every replica finds alike in the database, each by an index of what is under way: none reads what is done, and none more than so many rows. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { refusingSql } from "../../database/Pool.ts"
import { transaction } from "../../database/Transaction.ts"

export interface StockBounds {
  /** So many plans of a state are counted, and quotes looked at. */
  readonly counted: number
  /** Of so many plans, the longest under way, the steps are told apart. */
  readonly toldApart: number
}

const BOUNDS: StockBounds = { counted: 100_000, toldApart: 20_000 }

const STATEMENT_MS = 5_000
/** As the archive and the cleanup of nonces keep them. */
const ARCHIVED_AFTER_MS = 30 * 86_400_000
const NONCES_KEPT_MS = 60_000
/** Quotes that are not proved by then are looked at no more. */
const QUOTES_WATCHED_MS = 2 * 86_400_000

export interface StepsOfState {
  readonly state: string
  readonly count: number
  /** Of their plans, since when the oldest is under way. */
  readonly since: number
  /** Of plans with a step that left as a wallet's own transaction; null where there is none. */
  readonly directSince: number | null
  /** Transactions that nobody knows whether they left. */
  readonly lost: number
  readonly lostSince: number | null
}

export interface PlansOf {
  readonly now: number
  readonly open: number
  readonly pending: number
  readonly pendingSince: number | null
}

/** When the first row falls due, by worker; null where none waits. */
export type DueAt = Readonly<Record<string, number | null>>

export interface TableSize {
  readonly name: string
  readonly rows: number
  readonly bytes: number
}

export interface StockFigures {
  readonly plans: PlansOf
  readonly steps: ReadonlyArray<StepsOfState>
  readonly due: DueAt
  readonly tables: ReadonlyArray<TableSize>
}

const plansIn = (sql: SqlClient.SqlClient, { counted }: StockBounds) => sql<PlansOf>`
  SELECT unix_millis() AS now,
    (SELECT count(*) FROM (SELECT FROM plans WHERE sweep_at IS NOT NULL LIMIT ${sql.literal(String(counted))}) found) AS pending,
    (SELECT min(pending_since) FROM plans WHERE sweep_at IS NOT NULL) AS "pendingSince",
    (SELECT count(*) FROM (SELECT FROM plans WHERE archived_at IS NULL AND sweep_at IS NULL
      AND greatest(expires_at, changed_at) > (SELECT unix_millis()) LIMIT ${sql.literal(String(counted))}) found) AS open`

/** Each plan's steps by their key: kept apart from the planner, which would rather read the whole table. */
const stepsIn = (sql: SqlClient.SqlClient, { toldApart }: StockBounds) => sql<StepsOfState>`
  SELECT s.state, count(*) AS count, min(w.pending_since) AS since,
    min(w.pending_since) FILTER (WHERE s.is_direct) AS "directSince",
    count(*) FILTER (WHERE s.lost) AS lost, min(s.reserved_at) FILTER (WHERE s.lost) AS "lostSince"
  FROM (SELECT id, pending_since FROM plans WHERE sweep_at IS NOT NULL ORDER BY pending_since LIMIT ${sql.literal(String(toldApart))}) w
  CROSS JOIN LATERAL (
    SELECT l.reserved_at, b.transport = 'signed-eoa-transaction' AS is_direct,
      CASE WHEN s.observed IS NOT NULL THEN s.observed WHEN b.plan IS NULL THEN 'planned'
        WHEN claim.is_unknown THEN 'unknown' ELSE 'submitted' END AS state,
      claim.is_unknown AND coalesce(s.observed, 'unknown') = 'unknown' AS lost
    FROM plan_steps s
    LEFT JOIN transport_bindings b ON b.plan = s.plan AND b.step = s.step
    LEFT JOIN dispatch_leases l ON l.plan = s.plan AND l.step = s.step
    CROSS JOIN LATERAL (SELECT coalesce(l.outcome = 'unknown', l.expires_at < (SELECT unix_millis()), false) AS is_unknown) claim
    WHERE s.plan = w.id OFFSET 0
  ) s
  GROUP BY s.state`

const dueIn = (sql: SqlClient.SqlClient, { counted }: StockBounds) => sql<DueAt>`
  SELECT (SELECT min(sweep_at) FROM plans WHERE sweep_at IS NOT NULL) AS recovery,
    (SELECT min(sweep_at) FROM sponsored_calls WHERE sweep_at IS NOT NULL) AS sponsorships,
    (SELECT min(coalesce(sweep_at, settled_at)) FROM (SELECT sweep_at, settled_at FROM publications
      WHERE quote IS NOT NULL AND verified_at IS NULL AND settled_at > (SELECT unix_millis()) - ${QUOTES_WATCHED_MS}::bigint
      ORDER BY settled_at LIMIT ${sql.literal(String(counted))}) watched) AS quotes,
    (SELECT min(sweep_at) FROM user_operations WHERE sweep_at IS NOT NULL) AS operations,
    (SELECT min(sweep_at) FROM sessions WHERE sweep_at IS NOT NULL) AS sessions,
    (SELECT min(look_at) FROM intent_deployments WHERE look_at IS NOT NULL) * 1000 AS deployments,
    (SELECT min(greatest(expires_at, changed_at)) FROM plans
      WHERE archived_at IS NULL AND sweep_at IS NULL) + ${ARCHIVED_AFTER_MS}::bigint AS archive,
    (SELECT min(expires_at) FROM request_nonces) * 1000 + ${NONCES_KEPT_MS}::bigint AS nonces`

const sizesIn = (sql: SqlClient.SqlClient) => sql<TableSize>`
  SELECT relname AS name, n_live_tup AS rows, pg_total_relation_size(relid) AS bytes
  FROM pg_stat_user_tables WHERE schemaname = current_schema()`

const readWith = (bounds: StockBounds) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [plans] = yield* plansIn(sql, bounds)
    const steps = yield* stepsIn(sql, bounds)
    const [due = {}] = yield* dueIn(sql, bounds)
    const tables = yield* sizesIn(sql)
    if (plans === undefined) return yield* Effect.dieMessage("the plans were not counted")
    return { plans, steps, due, tables } satisfies StockFigures
  })

/** One statement after another, so that no more than one connection is taken. */
export const readStock = (bounds: StockBounds = BOUNDS) =>
  Effect.withTracerEnabled(refusingSql(readWith(bounds)), false)

/** And none for longer than the figures are worth. */
export const readStockInTime = Effect.flatMap(SqlClient.SqlClient, sql =>
  transaction(
    sql,
    Effect.zipRight(sql.unsafe(`SET LOCAL statement_timeout = ${STATEMENT_MS}`), readWith(BOUNDS))
  )
).pipe(Effect.withTracerEnabled(false))

/** The SQL of plans and of what is known of their steps. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer, type Option } from "effect"
import { numberOf } from "../accounts/AccountNumber.ts"
import type { Actor } from "../accounts/Principal.ts"
import {
  KEY_COLUMNS,
  type KeyColumns,
  type KeyOutcome,
  keyRowFrom,
  outcomeOf,
  type RequestKey
} from "../auth/Idempotency.ts"
import type { IdempotencyConflict } from "../auth/refusals.ts"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { stage } from "../telemetry/Requests.ts"
import { planFromRow, type StoredPlan } from "./PlanRow.ts"
import { PlanNotFound } from "./refusals.ts"
import type { StepFacts } from "./Step.ts"

/** What the plans of a page may hold before its last one, so that the page fits into an answer. */
const PAGE_BYTES = 3 * 1_048_576
const STEP_BYTES = 2_048

const PLANS = "p.*, unix_millis() AS now FROM plan_records p"
const FIND = `SELECT ${PLANS} WHERE p.id = $1 AND p.account_id = $2`
const LOAD_ALL = `SELECT ${PLANS} WHERE p.id = ANY ($1::uuid[])`
const FIND_OF_BOT = `${FIND} AND p.principal = $3`
const FIND_OWN = `SELECT ${KEY_COLUMNS}, p.*, unix_millis() AS now
FROM accounts a
LEFT JOIN plan_records p ON p.account_id = a.id AND p.id = $1 AND p.principal = $3
LEFT JOIN idempotency_keys k ON k.account = a.number AND k.principal = $3 AND k.key = $4
WHERE a.id = $2`

export interface PageQuery {
  readonly wallet: string | undefined
  readonly limit: number
  readonly after: { readonly createdAt: number; readonly id: string } | undefined
}

export interface OwnPlan {
  readonly plan: StoredPlan
  readonly outcome: Option.Option<KeyOutcome>
}

export interface PlanPage {
  readonly plans: ReadonlyArray<StoredPlan>
  readonly more: boolean
}

/** What a reconciliation found; `sweepInMs` null when nothing is left to look at. */
export interface Reconciled {
  readonly plan: StoredPlan
  readonly facts: ReadonlyArray<StepFacts>
  readonly sweepInMs: number | null
}

interface OwnRow extends KeyColumns {
  readonly id: string | null
}

/** A plan that stands as it was found, but for how often its steps were seen over; whoever wants to see them so again comes no later. */
export type Sighted = Pick<Reconciled, "plan" | "facts"> & { readonly sweepInMs: number }

const planRows = (changes: ReadonlyArray<Reconciled>): string =>
  JSON.stringify(
    changes.map(({ plan, sweepInMs }) => ({ id: plan.id, revision: plan.revision, sweep_millis: sweepInMs }))
  )

const stepRows = (changes: ReadonlyArray<Reconciled>): string =>
  JSON.stringify(
    changes.flatMap(({ plan, facts }) =>
      facts.map(({ observed, receipt, semantic, revert, proof, sights }, step) => ({
        plan: plan.id,
        step,
        observed,
        receipt,
        semantic,
        revert,
        proof,
        sights
      }))
    )
  )

const finding = stage("PlanStore.find")

const single = (rows: ReadonlyArray<object>) =>
  Effect.suspend(() => (rows[0] === undefined ? Effect.fail(new PlanNotFound()) : planFromRow(rows[0])))

const visibleTo = (sql: SqlClient.SqlClient, { kind, accountId, id }: Actor) =>
  kind === "owner"
    ? sql`p.account = ${numberOf(sql, accountId)}`
    : sql`p.account = ${numberOf(sql, accountId)} AND p.principal = ${id}`

const pageFrom = (sql: SqlClient.SqlClient) =>
  Effect.fn("PlanStore.page")(function* (actor: Actor, { wallet, limit, after }: PageQuery) {
    const walletIs = wallet === undefined ? sql`true` : sql`p.wallet = ${wallet}`
    const behind =
      after === undefined ? sql`true` : sql`(p.created_at, p.id) < (${after.createdAt}, ${after.id}::uuid)`
    const rows = yield* sql<{ candidates: number }>`SELECT sized.candidates, ${sql.literal(PLANS)} JOIN (
      SELECT id, count(*) OVER () AS candidates, sum(bytes) OVER (ORDER BY created_at DESC, id DESC) - bytes AS before
      FROM (SELECT p.id, p.created_at,
          octet_length(p.terms::text) + ${STEP_BYTES}::int * (SELECT count(*) FROM plan_steps s WHERE s.plan = p.id) AS bytes
        FROM plans p
        WHERE ${visibleTo(sql, actor)} AND ${walletIs} AND ${behind}
        ORDER BY p.created_at DESC, p.id DESC LIMIT ${limit + 1}) newest
    ) sized ON sized.id = p.id AND sized.before < ${PAGE_BYTES}
    ORDER BY p.created_at DESC, p.id DESC LIMIT ${limit}`
    const plans = yield* Effect.forEach(rows, planFromRow)
    return { plans, more: (rows[0]?.candidates ?? 0) > plans.length }
  }, refusingSql)

const saveAllWith = (sql: SqlClient.SqlClient) =>
  Effect.fn("PlanStore.saveAll")(function* (changes: ReadonlyArray<Reconciled>) {
    const ids = changes.map(({ plan }) => plan.id)
    const rows = yield* sql<{ plan: string }>`
    WITH held AS (SELECT id, revision FROM plans WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR UPDATE),
      moved AS (UPDATE plans p SET revision = p.revision + 1, sweep_attempts = 0,
          sweep_at = unix_millis() + f.sweep_millis,
          pending_since = CASE WHEN f.sweep_millis IS NOT NULL THEN coalesce(p.pending_since, unix_millis()) END
        FROM held JOIN json_to_recordset(${planRows(changes)}::json)
          AS f (id uuid, revision integer, sweep_millis bigint) ON f.id = held.id AND f.revision = held.revision
        WHERE p.id = held.id AND p.id = ANY (${ids}::uuid[]) RETURNING p.id)
    UPDATE plan_steps s SET observed = n.observed, receipt = n.receipt, semantic = n.semantic, revert = n.revert,
      proof = n.proof, sights = n.sights
    FROM moved JOIN json_to_recordset(${stepRows(changes)}::json)
      AS n (plan uuid, step smallint, observed text, receipt json, semantic json, revert json, proof text, sights json) ON n.plan = moved.id
    WHERE s.plan = ANY (${ids}::uuid[]) AND s.plan = n.plan AND s.step = n.step RETURNING s.plan`
    return new Set(rows.map(({ plan }) => plan))
  }, refusingSql)

/** It is no change of theirs: no revision, and none that changed meanwhile, or that somebody holds. */
const saveSightsWith = (sql: SqlClient.SqlClient) =>
  Effect.fn("PlanStore.saveSights")(function* (sighted: ReadonlyArray<Sighted>) {
    const ids = sighted.map(({ plan }) => plan.id)
    yield* sql`
    WITH held AS (SELECT p.id, f.sweep_millis FROM plans p JOIN json_to_recordset(${planRows(sighted)}::json)
          AS f (id uuid, revision integer, sweep_millis bigint) ON f.id = p.id AND f.revision = p.revision
        WHERE p.id = ANY (${ids}::uuid[]) FOR NO KEY UPDATE OF p SKIP LOCKED),
      sooner AS (UPDATE plans p SET sweep_at = least(p.sweep_at, unix_millis() + held.sweep_millis)
        FROM held WHERE p.id = held.id AND p.id = ANY (${ids}::uuid[]) AND p.sweep_at IS NOT NULL)
    UPDATE plan_steps s SET sights = n.sights
    FROM held JOIN json_to_recordset(${stepRows(sighted)}::json) AS n (plan uuid, step smallint, sights json) ON n.plan = held.id
    WHERE s.plan = ANY (${ids}::uuid[]) AND s.plan = n.plan AND s.step = n.step`
  }, refusingSql)

export class PlanStore extends Context.Tag("plans/PlanStore")<
  PlanStore,
  {
    /** The owner sees every plan of the account, a bot those of its own grant. */
    readonly find: (id: string, actor: Actor) => Effect.Effect<StoredPlan, PlanNotFound | DatabaseUnavailable>
    /** The caller's own plan, from which nobody else may dispatch, and what the caller's key leads to. */
    readonly findOwn: (
      id: string,
      key: RequestKey
    ) => Effect.Effect<OwnPlan, IdempotencyConflict | PlanNotFound | DatabaseUnavailable>
    /** Ends early where its plans are large. */
    readonly page: (actor: Actor, query: PageQuery) => Effect.Effect<PlanPage, DatabaseUnavailable>
    /** For recovery, which acts for nobody. */
    readonly load: (id: string) => Effect.Effect<StoredPlan, PlanNotFound | DatabaseUnavailable>
    /** Those that there are, in no order. */
    readonly loadAll: (
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredPlan>, DatabaseUnavailable>
    /** Compare-and-set on each plan's revision, in one statement; the plans that had not changed meanwhile. */
    readonly saveAll: (
      changes: ReadonlyArray<Reconciled>
    ) => Effect.Effect<ReadonlySet<string>, DatabaseUnavailable>
    readonly saveSights: (sighted: ReadonlyArray<Sighted>) => Effect.Effect<void, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    PlanStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const find = (id: string, actor: Actor) =>
        finding(
          actor.kind === "owner"
            ? sql.unsafe(FIND, [id, actor.accountId])
            : sql.unsafe(FIND_OF_BOT, [id, actor.accountId, actor.id])
        ).pipe(refusingSql, Effect.flatMap(single))

      const findOwn = (id: string, key: RequestKey) =>
        finding(sql.unsafe<OwnRow>(FIND_OWN, [id, key.accountId, key.principalId, key.key])).pipe(
          refusingSql,
          Effect.flatMap(([row]) =>
            Effect.flatMap(outcomeOf(key, keyRowFrom(row)), outcome =>
              Effect.map(single(row === undefined || row.id === null ? [] : [row]), plan => ({
                plan,
                outcome
              }))
            )
          )
        )

      const load = Effect.fn("PlanStore.load")(
        (id: string) => Effect.flatMap(sql`SELECT ${sql.literal(PLANS)} WHERE p.id = ${id}`, single),
        refusingSql
      )

      const loadAll = (ids: ReadonlyArray<string>) =>
        sql.unsafe(LOAD_ALL, [ids]).pipe(
          refusingSql,
          Effect.flatMap(rows => Effect.forEach(rows, planFromRow))
        )

      return {
        find,
        findOwn,
        load,
        loadAll,
        page: pageFrom(sql),
        saveAll: saveAllWith(sql),
        saveSights: saveSightsWith(sql)
      }
    })
  )
}

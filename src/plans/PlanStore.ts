/** The SQL of plans and of what is known of their steps. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../accounts/Principal.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { refusingSql } from "../database/SqlFailure.ts"
import { planFromRow, type StoredPlan } from "./PlanRow.ts"
import { PlanNotFound } from "./refusals.ts"
import type { StepFacts } from "./Step.ts"

/** What the plans of a page may hold before its last one, so that the page fits into an answer. */
const PAGE_BYTES = 3 * 1_048_576
const STEP_BYTES = 2_048

export interface PageQuery {
  readonly wallet: string | undefined
  readonly limit: number
  readonly after: { readonly createdAt: number; readonly id: string } | undefined
}

export interface Page {
  readonly plans: ReadonlyArray<StoredPlan>
  readonly more: boolean
}

/** What a reconciliation found; `sweepInMs` null when nothing is left to look at. */
export interface Reconciled {
  readonly facts: ReadonlyArray<StepFacts>
  readonly sweepInMs: number | null
}

export class PlanStore extends Context.Tag("plans/PlanStore")<
  PlanStore,
  {
    /** The owner sees every plan of the account, a bot those of its own grant. */
    readonly find: (id: string, actor: Actor) => Effect.Effect<StoredPlan, PlanNotFound | DatabaseUnavailable>
    /** Ends early where its plans are large. */
    readonly page: (actor: Actor, query: PageQuery) => Effect.Effect<Page, DatabaseUnavailable>
    /** For recovery, which acts for nobody. */
    readonly load: (id: string) => Effect.Effect<StoredPlan, PlanNotFound | DatabaseUnavailable>
    /** Compare-and-set on the revision; false when the record changed meanwhile. */
    readonly save: (plan: StoredPlan, reconciled: Reconciled) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    PlanStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const columns = sql`p.id, a.id AS account_id, p.principal, p.terms, p.commitment, p.created_at, p.expires_at, p.revision,
        unix_millis() AS now, p.sweep_at IS NOT NULL AS watched,
        (SELECT json_agg(json_build_object('observed', s.observed, 'receipt', s.receipt, 'semantic', s.semantic,
            'binding', CASE WHEN b.hash IS NOT NULL THEN json_build_object('transport', b.transport,
              'bindingId', b.binding_id, 'hash', b.hash, 'transaction', b.transaction) END,
            'lease', CASE WHEN l.hash IS NOT NULL THEN json_build_object('hash', l.hash, 'count', l.count,
              'reservedAt', l.reserved_at, 'expiresAt', l.expires_at, 'outcome', l.outcome,
              'broadcastAt', l.broadcast_at) END) ORDER BY s.step)
          FROM plan_steps s
          LEFT JOIN transport_bindings b ON b.plan = s.plan AND b.step = s.step
          LEFT JOIN dispatch_leases l ON l.plan = s.plan AND l.step = s.step
          WHERE s.plan = p.id) AS steps
        FROM plans p JOIN accounts a ON a.number = p.account`

      const visibleTo = (actor: Actor) =>
        actor.kind === "owner"
          ? sql`a.id = ${actor.accountId}`
          : sql`a.id = ${actor.accountId} AND p.principal = ${actor.id}`

      const single = (rows: ReadonlyArray<object>) =>
        Effect.suspend(() => (rows[0] === undefined ? Effect.fail(new PlanNotFound()) : planFromRow(rows[0])))

      const find = Effect.fn("PlanStore.find")(
        (id: string, actor: Actor) =>
          Effect.flatMap(sql`SELECT ${columns} WHERE p.id = ${id} AND ${visibleTo(actor)}`, single),
        refusingSql
      )

      const load = Effect.fn("PlanStore.load")(
        (id: string) => Effect.flatMap(sql`SELECT ${columns} WHERE p.id = ${id}`, single),
        refusingSql
      )

      const page = Effect.fn("PlanStore.page")(function* (actor: Actor, { wallet, limit, after }: PageQuery) {
        const walletIs = wallet === undefined ? sql`true` : sql`p.wallet = ${wallet}`
        const behind =
          after === undefined
            ? sql`true`
            : sql`(p.created_at, p.id) < (${after.createdAt}, ${after.id}::uuid)`
        const rows = yield* sql<{ candidates: number }>`SELECT sized.candidates, ${columns} JOIN (
            SELECT id, count(*) OVER () AS candidates, sum(bytes) OVER (ORDER BY created_at DESC, id DESC) - bytes AS before
            FROM (SELECT p.id, p.created_at,
                octet_length(p.terms::text) + ${STEP_BYTES}::int * (SELECT count(*) FROM plan_steps s WHERE s.plan = p.id) AS bytes
              FROM plans p JOIN accounts a ON a.number = p.account
              WHERE ${visibleTo(actor)} AND ${walletIs} AND ${behind}
              ORDER BY p.created_at DESC, p.id DESC LIMIT ${limit + 1}) newest
          ) sized ON sized.id = p.id AND sized.before < ${PAGE_BYTES}
          ORDER BY p.created_at DESC, p.id DESC LIMIT ${limit}`
        const plans = yield* Effect.forEach(rows, planFromRow)
        return { plans, more: (rows[0]?.candidates ?? 0) > plans.length }
      }, refusingSql)

      const stepRows = (facts: ReadonlyArray<StepFacts>) =>
        JSON.stringify(
          facts.map((step, index) => ({
            step: index,
            observed: step.observed ?? null,
            receipt: step.receipt ?? null,
            semantic: step.semantic ?? null
          }))
        )

      const save = Effect.fn("PlanStore.save")(function* (
        plan: StoredPlan,
        { facts, sweepInMs }: Reconciled
      ) {
        const rows = yield* sql`
          WITH moved AS (
            UPDATE plans SET revision = revision + 1, sweep_attempts = 0,
              sweep_at = unix_millis() + ${sweepInMs}::bigint,
              pending_since = CASE WHEN ${sweepInMs}::bigint IS NULL THEN NULL ELSE coalesce(pending_since, unix_millis()) END
            WHERE id = ${plan.id} AND revision = ${plan.revision} RETURNING id)
          UPDATE plan_steps s SET observed = n.observed, receipt = n.receipt, semantic = n.semantic
          FROM moved, json_to_recordset(${stepRows(facts)}::json)
            AS n (step smallint, observed text, receipt json, semantic json)
          WHERE s.plan = moved.id AND s.step = n.step RETURNING s.step`
        return rows.length > 0
      }, refusingSql)

      return { find, load, page, save }
    })
  )
}

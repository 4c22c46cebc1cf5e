/** The SQL of sponsorships. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../accounts/Principal.ts"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { SponsorshipNotFound } from "./refusals.ts"
import {
  type PlannedSponsorship,
  type StoredSponsorship,
  sponsorshipFromRow,
  withPlanFromRow
} from "./SponsorshipRow.ts"
import { sponsorshipStoring } from "./StoreSponsorship.ts"

/** What the sponsorships of a page may hold before its last one, so that the page fits into an answer. */
const PAGE_BYTES = 3 * 1_048_576

const RECORDS = `s.*, p.commitment AS plan_commitment, p.steps, unix_millis() AS now,
  CASE WHEN u.sponsorship IS NOT NULL THEN publication_facts(u) END AS publication,
  (SELECT json_build_object('planId', f.plan, 'chainId', f.chain_id, 'admitted', f.admitted, 'steps', r.steps)
    FROM fundings f JOIN plan_records r ON r.id = f.plan
    WHERE f.sponsorship = s.id AND (f.admitted OR r.expires_at > unix_millis())
    ORDER BY f.admitted DESC, r.created_at DESC, f.plan LIMIT 1) AS funding
FROM sponsorships s JOIN plan_records p ON p.id = s.plan LEFT JOIN publications u ON u.sponsorship = s.id`
const WITH_PLAN = `p.account_id, p.terms, p.created_at AS plan_created_at, p.expires_at AS plan_expires_at,
  p.revision AS plan_revision, p.watched, ${RECORDS}`

export interface SponsorshipQuery {
  readonly planId: string | undefined
  readonly limit: number
  readonly after: { readonly createdAt: number; readonly id: string } | undefined
}

export interface SponsorshipPage {
  readonly sponsorships: ReadonlyArray<StoredSponsorship>
  readonly more: boolean
}

const visibleTo = (sql: SqlClient.SqlClient, { kind, accountId, id }: Actor) =>
  kind === "owner"
    ? sql`p.account_id = ${accountId}`
    : sql`p.account_id = ${accountId} AND s.principal = ${id}`

const pageFrom = (sql: SqlClient.SqlClient) =>
  Effect.fn("SponsorshipStore.page")(function* (actor: Actor, { planId, limit, after }: SponsorshipQuery) {
    const ofPlan = planId === undefined ? sql`true` : sql`s.plan = ${planId}::uuid`
    const behind =
      after === undefined ? sql`true` : sql`(s.created_at, s.id) < (${after.createdAt}, ${after.id}::uuid)`
    const rows = yield* sql<{ candidates: number }>`SELECT sized.candidates, ${sql.literal(RECORDS)} JOIN (
      SELECT id, count(*) OVER () AS candidates, sum(bytes) OVER (ORDER BY created_at DESC, id DESC) - bytes AS before
      FROM (SELECT s.id, s.created_at, octet_length(s.authorizations::text) AS bytes
        FROM sponsorships s JOIN plan_records p ON p.id = s.plan
        WHERE ${visibleTo(sql, actor)} AND ${ofPlan} AND ${behind}
        ORDER BY s.created_at DESC, s.id DESC LIMIT ${limit + 1}) newest
    ) sized ON sized.id = s.id AND sized.before < ${PAGE_BYTES}
    ORDER BY s.created_at DESC, s.id DESC LIMIT ${limit}`
    const sponsorships = yield* Effect.forEach(rows, sponsorshipFromRow)
    const page: SponsorshipPage = { sponsorships, more: (rows[0]?.candidates ?? 0) > sponsorships.length }
    return page
  }, refusingSql)

export class SponsorshipStore extends Context.Tag("sponsorship/SponsorshipStore")<
  SponsorshipStore,
  {
    readonly store: Effect.Effect.Success<typeof sponsorshipStoring>
    /** The owner sees every sponsorship of the account, a bot those of its own grant. */
    readonly find: (
      id: string,
      actor: Actor
    ) => Effect.Effect<StoredSponsorship, SponsorshipNotFound | DatabaseUnavailable>
    readonly findWithPlan: (
      id: string,
      actor: Actor
    ) => Effect.Effect<PlannedSponsorship, SponsorshipNotFound | DatabaseUnavailable>
    /** Whoever it is of; only for the service's own work. */
    readonly load: (id: string) => Effect.Effect<StoredSponsorship, SponsorshipNotFound | DatabaseUnavailable>
    /** Newest first; ends early where its records are large. */
    readonly page: (
      actor: Actor,
      query: SponsorshipQuery
    ) => Effect.Effect<SponsorshipPage, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.scoped(
    SponsorshipStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rowOf = Effect.fnUntraced(function* (columns: string, id: string, visible: Fragment) {
        const [row] = yield* sql`SELECT ${sql.literal(columns)} WHERE s.id = ${id} AND ${visible}`
        return row === undefined ? yield* new SponsorshipNotFound() : row
      }, refusingSql)

      const one = (id: string, visible: Fragment) =>
        Effect.flatMap(rowOf(RECORDS, id, visible), sponsorshipFromRow)

      return {
        store: yield* sponsorshipStoring,
        find: (id, actor) => Effect.withSpan(one(id, visibleTo(sql, actor)), "SponsorshipStore.find"),
        findWithPlan: (id, actor) =>
          Effect.flatMap(rowOf(WITH_PLAN, id, visibleTo(sql, actor)), withPlanFromRow),
        load: id => one(id, sql`true`),
        page: pageFrom(sql)
      }
    })
  )
}

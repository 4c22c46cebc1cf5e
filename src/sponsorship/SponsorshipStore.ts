/** The SQL of sponsorships. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Context, Effect, Layer } from "effect"
import { numberOf } from "../accounts/AccountNumber.ts"
import type { Actor } from "../accounts/Principal.ts"
import type { RequestKey } from "../auth/Idempotency.ts"
import type { IdempotencyConflict } from "../auth/refusals.ts"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { type OwnSponsorship, ownSponsorships } from "./OwnSponsorships.ts"
import { SponsorshipNotFound } from "./refusals.ts"
import { SPONSORSHIP_RECORDS } from "./SponsorshipRecords.ts"
import { type StoredSponsorship, sponsorshipFromRow } from "./SponsorshipRow.ts"
import { sponsorshipStoring } from "./StoreSponsorship.ts"

/** What the sponsorships of a page may hold before its last one, so that the page fits into an answer. */
const PAGE_BYTES = 3 * 1_048_576

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
    ? sql`s.account = ${numberOf(sql, accountId)}`
    : sql`s.account = ${numberOf(sql, accountId)} AND s.principal = ${id}`

const pageFrom = (sql: SqlClient.SqlClient) =>
  Effect.fn("SponsorshipStore.page")(function* (actor: Actor, { planId, limit, after }: SponsorshipQuery) {
    const ofPlan = planId === undefined ? sql`true` : sql`s.plan = ${planId}::uuid`
    const behind =
      after === undefined ? sql`true` : sql`(s.created_at, s.id) < (${after.createdAt}, ${after.id}::uuid)`
    const rows = yield* sql<{
      candidates: number
    }>`SELECT sized.candidates, ${sql.literal(SPONSORSHIP_RECORDS)} JOIN (
      SELECT id, count(*) OVER () AS candidates, sum(bytes) OVER (ORDER BY created_at DESC, id DESC) - bytes AS before
      FROM (SELECT s.id, s.created_at, octet_length(s.authorizations::text) AS bytes
        FROM sponsorships s
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
    /** The caller's own, of which nobody else may publish anything, and what the caller's key leads to. */
    readonly findOwn: (
      id: string,
      key: RequestKey
    ) => Effect.Effect<OwnSponsorship, SponsorshipNotFound | IdempotencyConflict | DatabaseUnavailable>
    /** Whoever they are of; only for the service's own work. */
    readonly loadAll: (
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredSponsorship>, DatabaseUnavailable>
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
      const one = Effect.fnUntraced(function* (id: string, visible: Fragment) {
        const [row] = yield* refusingSql(
          sql`SELECT ${sql.literal(SPONSORSHIP_RECORDS)} WHERE s.id = ${id} AND ${visible}`
        )
        return row === undefined ? yield* new SponsorshipNotFound() : yield* sponsorshipFromRow(row)
      })

      return {
        store: yield* sponsorshipStoring,
        find: (id, actor) => Effect.withSpan(one(id, visibleTo(sql, actor)), "SponsorshipStore.find"),
        findOwn: yield* ownSponsorships,
        loadAll: ids =>
          ids.length === 0
            ? Effect.succeed([])
            : Effect.flatMap(
                refusingSql(
                  sql`SELECT ${sql.literal(SPONSORSHIP_RECORDS)} WHERE s.id = ANY (${ids}::uuid[])`
                ),
                rows => Effect.forEach(rows, sponsorshipFromRow)
              ),
        page: pageFrom(sql)
      }
    })
  )
}

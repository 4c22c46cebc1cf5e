/** The SQL of sponsorships. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { Fragment } from "@effect/sql/Statement"
import { Context, Effect, Layer, Schema } from "effect"
import { AccountActors } from "../accounts/AccountActors.ts"
import type { Actor } from "../accounts/Principal.ts"
import { AccountNotFound, Forbidden, type ServiceBusy, StorageLimit } from "../accounts/refusals.ts"
import type { RequestKey } from "../auth/Idempotency.ts"
import { IdempotencyConflict } from "../auth/refusals.ts"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { PlanExpired, PlanNotFound } from "../plans/refusals.ts"
import { keysFor } from "../plans/Storage.ts"
import { Settings } from "../settings/Settings.ts"
import { decoder } from "../values/Conforms.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import type { SponsorshipTerms } from "./CommittedSponsorship.ts"
import { SponsorshipNotFound } from "./refusals.ts"
import { type StoredSponsorship, sponsorshipFromRow } from "./SponsorshipRow.ts"

const OWNERS_SHARE = 32
/** What the sponsorships of a page may hold before its last one, so that the page fits into an answer. */
const PAGE_BYTES = 3 * 1_048_576

const STORE = `SELECT verdict, sponsorship FROM store_sponsorship($1, $2::uuid, $3, $4,
  json_populate_record(NULL::sponsorships, $5::json), $6, $7)`

const RECORDS = `s.*, p.commitment AS plan_commitment, p.steps, unix_millis() AS now,
  CASE WHEN u.sponsorship IS NOT NULL THEN json_build_object('submissionHash', u.submission_hash, 'startedAt', u.reserved_at,
    'leaseEndsAt', u.expires_at, 'outcome', u.outcome, 'settledAt', u.settled_at, 'quote', u.quote, 'transactions', u.transactions,
    'commitment', u.quote_commitment, 'verifiedAt', u.verified_at, 'doubt', u.doubt) END AS publication,
  (SELECT json_build_object('planId', f.plan, 'chainId', f.chain_id, 'admitted', f.admitted, 'steps', r.steps)
    FROM fundings f JOIN plan_records r ON r.id = f.plan
    WHERE f.sponsorship = s.id AND (f.admitted OR r.expires_at > unix_millis())
    ORDER BY f.admitted DESC, r.created_at DESC, f.plan LIMIT 1) AS funding
FROM sponsorships s JOIN plan_records p ON p.id = s.plan LEFT JOIN publications u ON u.sponsorship = s.id`

export interface NewSponsorship extends SponsorshipTerms {
  readonly id: string
  readonly commitment: Bytes32
}

export interface SponsorshipQuery {
  readonly planId: string | undefined
  readonly limit: number
  readonly after: { readonly createdAt: number; readonly id: string } | undefined
}

export interface SponsorshipPage {
  readonly sponsorships: ReadonlyArray<StoredSponsorship>
  readonly more: boolean
}

const Verdict = Schema.Struct({
  verdict: Schema.Literal(
    "STORED",
    "TWIN",
    "ACCOUNT_NOT_FOUND",
    "FORBIDDEN",
    "IDEMPOTENCY_CONFLICT",
    "PLAN_NOT_FOUND",
    "PLAN_EXPIRED",
    "SPONSORSHIPS_LIMIT",
    "KEYS_LIMIT"
  ),
  sponsorship: Schema.NullOr(Schema.String)
})

const decodeVerdict = decoder(Verdict)

type StoreRefusal =
  | AccountNotFound
  | Forbidden
  | IdempotencyConflict
  | PlanNotFound
  | PlanExpired
  | StorageLimit
  | ServiceBusy
  | DatabaseUnavailable

const full = (limit: string) =>
  new StorageLimit({ context: { limit }, retryable: false, retryAfterSeconds: 3600 })

const storedUnder = ({ verdict, sponsorship }: typeof Verdict.Type): Effect.Effect<string, StoreRefusal> => {
  switch (verdict) {
    case "STORED":
    case "TWIN":
      return sponsorship === null
        ? Effect.dieMessage("a stored sponsorship has no id")
        : Effect.succeed(sponsorship)
    case "ACCOUNT_NOT_FOUND":
      return Effect.fail(new AccountNotFound())
    case "FORBIDDEN":
      return Effect.fail(new Forbidden())
    case "IDEMPOTENCY_CONFLICT":
      return Effect.fail(new IdempotencyConflict())
    case "PLAN_NOT_FOUND":
      return Effect.fail(new PlanNotFound())
    case "PLAN_EXPIRED":
      return Effect.fail(new PlanExpired())
    case "SPONSORSHIPS_LIMIT":
      return Effect.fail(full("sponsorships"))
    case "KEYS_LIMIT":
      return Effect.fail(full("idempotency keys"))
  }
}

const rowOf = (actor: Actor, asked: NewSponsorship): string =>
  JSON.stringify({
    id: asked.id,
    principal: actor.id,
    plan: asked.planId,
    authorizations: asked.authorizations,
    commitment: asked.commitment,
    expires_at: asked.publicationExpiresAt
  })

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
    /** The id of the sponsorship that the key leads to: the given one, or its faster twin. */
    readonly store: (
      actor: Actor,
      key: RequestKey,
      asked: NewSponsorship
    ) => Effect.Effect<string, StoreRefusal>
    /** The owner sees every sponsorship of the account, a bot those of its own grant. */
    readonly find: (
      id: string,
      actor: Actor
    ) => Effect.Effect<StoredSponsorship, SponsorshipNotFound | DatabaseUnavailable>
    /** Whoever it is of; only for the service's own work. */
    readonly load: (id: string) => Effect.Effect<StoredSponsorship, SponsorshipNotFound | DatabaseUnavailable>
    /** Newest first; ends early where its records are large. */
    readonly page: (
      actor: Actor,
      query: SponsorshipQuery
    ) => Effect.Effect<SponsorshipPage, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    SponsorshipStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const actors = yield* AccountActors
      const { recordsPerAccount } = (yield* Settings).sponsorship

      const ask = (actor: Actor, { key, identity }: RequestKey, asked: NewSponsorship) =>
        sql
          .unsafe(STORE, [
            actor.accountId,
            actor.kind === "bot" ? actor.grantId : null,
            key,
            identity,
            rowOf(actor, asked),
            actor.kind === "bot" ? recordsPerAccount - OWNERS_SHARE : recordsPerAccount,
            keysFor(actor)
          ])
          .pipe(
            refusingSql,
            Effect.flatMap(([row]) => Effect.orDie(decodeVerdict(row)))
          )

      const one = Effect.fnUntraced(function* (id: string, visible: Fragment) {
        const [row] = yield* sql`SELECT ${sql.literal(RECORDS)} WHERE s.id = ${id} AND ${visible}`
        return row === undefined ? yield* new SponsorshipNotFound() : yield* sponsorshipFromRow(row)
      }, refusingSql)

      return {
        store: (actor, key, asked) =>
          Effect.flatMap(actors.run(actor.accountId, ask(actor, key, asked)), storedUnder),
        find: (id, actor) => Effect.withSpan(one(id, visibleTo(sql, actor)), "SponsorshipStore.find"),
        load: id => one(id, sql`true`),
        page: pageFrom(sql)
      }
    })
  )
}

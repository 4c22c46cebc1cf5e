/** The SQL of sessions. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Schema } from "effect"
import { AccountActors } from "../accounts/AccountActors.ts"
import { numberOf } from "../accounts/AccountNumber.ts"
import type { Actor } from "../accounts/Principal.ts"
import { AccountNotFound, Forbidden, type ServiceBusy, StorageLimit } from "../accounts/refusals.ts"
import type { RequestKey } from "../auth/Idempotency.ts"
import { IdempotencyConflict } from "../auth/refusals.ts"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { keysFor } from "../plans/Storage.ts"
import { Settings } from "../settings/Settings.ts"
import { SmartAccountChanged } from "../smartaccounts/refusals.ts"
import { SessionNotFound } from "../useroperations/refusals.ts"
import { decoder } from "../values/Conforms.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"
import { SessionConflict, SessionGrantUnsuitable } from "./refusals.ts"
import { SESSION_RECORDS } from "./SessionRecords.ts"
import { type SessionTerms, type StoredSession, sessionFromRow } from "./SessionRow.ts"

const OWNERS_SHARE = 32
/** What the sessions of a page may hold before its last one, so that the page fits into an answer. */
const PAGE_BYTES = 1_048_576

const STORE = `SELECT verdict, session FROM store_session($1, $2::uuid, $3, $4,
  json_populate_record(NULL::sessions, $5::json), $6, $7, $8)`

export interface NewSession extends SessionTerms {
  readonly id: string
  readonly wallet: Address
  readonly chainId: number
  /** The state that the wallet was seen in. */
  readonly stateHash: Bytes32
}

export interface SessionQuery {
  readonly bindingId: string | undefined
  readonly limit: number
  readonly after: { readonly createdAt: number; readonly id: string } | undefined
}

export interface SessionPage {
  readonly sessions: ReadonlyArray<StoredSession>
  readonly more: boolean
}

const Verdict = Schema.Struct({
  verdict: Schema.Literal(
    "STORED",
    "TWIN",
    "ACCOUNT_NOT_FOUND",
    "FORBIDDEN",
    "IDEMPOTENCY_CONFLICT",
    "BINDING_CHANGED",
    "GRANT_UNSUITABLE",
    "SESSIONS_LIMIT",
    "KEYS_LIMIT",
    "USED_BEFORE"
  ),
  session: Schema.NullOr(Schema.String)
})

const decodeVerdict = decoder(Verdict)

type StoreRefusal =
  | AccountNotFound
  | Forbidden
  | IdempotencyConflict
  | SmartAccountChanged
  | SessionGrantUnsuitable
  | StorageLimit
  | SessionConflict
  | ServiceBusy
  | DatabaseUnavailable

const full = (limit: string) =>
  new StorageLimit({ context: { limit }, retryable: false, retryAfterSeconds: 3600 })

const storedUnder = ({ verdict, session }: typeof Verdict.Type): Effect.Effect<string, StoreRefusal> => {
  switch (verdict) {
    case "STORED":
    case "TWIN":
      return session === null ? Effect.dieMessage("a stored session has no id") : Effect.succeed(session)
    case "ACCOUNT_NOT_FOUND":
      return Effect.fail(new AccountNotFound())
    case "FORBIDDEN":
      return Effect.fail(new Forbidden())
    case "IDEMPOTENCY_CONFLICT":
      return Effect.fail(new IdempotencyConflict())
    case "BINDING_CHANGED":
      return Effect.fail(new SmartAccountChanged({ context: { check: "binding" } }))
    case "GRANT_UNSUITABLE":
      return Effect.fail(new SessionGrantUnsuitable({ context: { reason: "inactive" } }))
    case "SESSIONS_LIMIT":
      return Effect.fail(full("sessions"))
    case "KEYS_LIMIT":
      return Effect.fail(full("idempotency keys"))
    case "USED_BEFORE":
      return Effect.fail(new SessionConflict())
  }
}

const termsOf = (asked: NewSession): SessionTerms => {
  const { sessionKey, manifestId, validUntil, allocationManifestHash, compiled, guardCodeHash, evidence } =
    asked
  return {
    asked: asked.asked,
    ...{ sessionKey, manifestId, validUntil, allocationManifestHash, compiled, evidence },
    ...(guardCodeHash === undefined ? {} : { guardCodeHash })
  }
}

const rowOf = (actor: Actor, asked: NewSession): string => {
  const { grantId, bindingId, generation, nonce } = asked.asked
  return JSON.stringify({
    id: asked.id,
    principal: actor.id,
    grant_id: grantId,
    binding: bindingId,
    chain_id: asked.chainId,
    wallet: asked.wallet.toLowerCase(),
    session_key: asked.sessionKey.toLowerCase(),
    generation,
    nonce,
    permission_id: asked.compiled.permissionId,
    compiled_hash: asked.compiled.compiledHash,
    valid_until: asked.validUntil,
    terms: termsOf(asked)
  })
}

/** The owner sees all of the account, a bot those that its own grant is named in. */
const visibleTo = (sql: SqlClient.SqlClient, actor: Actor) =>
  actor.kind === "owner"
    ? sql`s.account = ${numberOf(sql, actor.accountId)}`
    : sql`s.account = ${numberOf(sql, actor.accountId)} AND s.grant_id = ${actor.grantId}::uuid`

const pageFrom = (sql: SqlClient.SqlClient) =>
  Effect.fn("SessionStore.page")(function* (actor: Actor, { bindingId, limit, after }: SessionQuery) {
    const ofBinding = bindingId === undefined ? sql`true` : sql`s.binding = ${bindingId}`
    const behind =
      after === undefined ? sql`true` : sql`(s.created_at, s.id) < (${after.createdAt}, ${after.id}::uuid)`
    const rows = yield* sql<{
      candidates: number
    }>`SELECT sized.candidates, ${sql.literal(SESSION_RECORDS)} JOIN (
      SELECT id, count(*) OVER () AS candidates, sum(bytes) OVER (ORDER BY created_at DESC, id DESC) - bytes AS before
      FROM (SELECT s.id, s.created_at, octet_length(s.terms::text) AS bytes
        FROM sessions s
        WHERE ${visibleTo(sql, actor)} AND ${ofBinding} AND ${behind}
        ORDER BY s.created_at DESC, s.id DESC LIMIT ${limit + 1}) newest
    ) sized ON sized.id = s.id AND sized.before < ${PAGE_BYTES}
    ORDER BY s.created_at DESC, s.id DESC LIMIT ${limit}`
    const sessions = yield* Effect.forEach(rows, sessionFromRow)
    const page: SessionPage = { sessions, more: (rows[0]?.candidates ?? 0) > sessions.length }
    return page
  }, refusingSql)

export class SessionStore extends Context.Tag("sessions/SessionStore")<
  SessionStore,
  {
    /** The id of the session that the key leads to: the given one, or its faster twin. */
    readonly store: (actor: Actor, key: RequestKey, asked: NewSession) => Effect.Effect<string, StoreRefusal>
    /** The owner sees every session of the account, a bot those of its own grant. */
    readonly find: (
      id: string,
      actor: Actor
    ) => Effect.Effect<StoredSession, SessionNotFound | DatabaseUnavailable>
    /** Newest first; ends early where its records are large. */
    readonly page: (actor: Actor, query: SessionQuery) => Effect.Effect<SessionPage, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    SessionStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const actors = yield* AccountActors
      const { recordsPerAccount } = (yield* Settings).sessions

      const ask = (actor: Actor, { key, identity }: RequestKey, asked: NewSession) =>
        sql
          .unsafe(STORE, [
            actor.accountId,
            actor.kind === "bot" ? actor.grantId : null,
            key,
            identity,
            rowOf(actor, asked),
            asked.stateHash,
            actor.kind === "bot" ? recordsPerAccount - OWNERS_SHARE : recordsPerAccount,
            keysFor(actor)
          ])
          .pipe(
            refusingSql,
            Effect.flatMap(([row]) => Effect.orDie(decodeVerdict(row)))
          )

      return {
        store: (actor, key, asked) =>
          Effect.flatMap(actors.run(actor.accountId, ask(actor, key, asked)), storedUnder),
        find: Effect.fn("SessionStore.find")(function* (id: string, actor: Actor) {
          const [row] =
            yield* sql`SELECT ${sql.literal(SESSION_RECORDS)} WHERE s.id = ${id}::uuid AND ${visibleTo(sql, actor)}`
          return row === undefined ? yield* new SessionNotFound() : yield* sessionFromRow(row)
        }, refusingSql),
        page: pageFrom(sql)
      }
    })
  )
}

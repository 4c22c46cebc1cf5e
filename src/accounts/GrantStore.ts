/** The SQL of bot grants. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { type BotGrant, grantFromRow, type Scopes } from "./Account.ts"
import { LockedAccount } from "./AccountLock.ts"
import { GrantNotFound, StorageLimit } from "./refusals.ts"

export const RETAINED_GRANTS = 100

export interface NewGrant {
  readonly id: string
  readonly botAddress: string
  readonly scopes: Scopes
  readonly label: string
  readonly expiresAt: number
}

export class GrantStore extends Context.Tag("accounts/GrantStore")<
  GrantStore,
  {
    readonly list: (accountId: string) => Effect.Effect<ReadonlyArray<BotGrant>, DatabaseUnavailable>
    readonly insert: (
      grant: NewGrant
    ) => Effect.Effect<BotGrant, StorageLimit | DatabaseUnavailable, LockedAccount>
    readonly revoke: (
      grantId: string
    ) => Effect.Effect<BotGrant, GrantNotFound | DatabaseUnavailable, LockedAccount>
  }
>() {
  static readonly layer = Layer.effect(
    GrantStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql`g.id, a.id AS account_id, g.bot_address, g.scopes, g.label, g.created_at, g.expires_at, g.revoked_at,
        unix_seconds() AS clock`

      const list = Effect.fn("GrantStore.list")(function* (accountId: string) {
        const rows = yield* sql`SELECT ${columns} FROM accounts a JOIN bot_grants g ON g.account = a.number
          WHERE a.id = ${accountId} ORDER BY g.created_at, g.id`
        return yield* Effect.forEach(rows, grantFromRow)
      }, refusingSql)

      const insert = Effect.fn("GrantStore.insert")(function* (grant: NewGrant) {
        const { number } = yield* LockedAccount
        const [row] = yield* sql<{
          total: number
        }>`SELECT count(*) AS total FROM bot_grants WHERE account = ${number}`
        if ((row?.total ?? 0) >= RETAINED_GRANTS)
          return yield* new StorageLimit({
            context: { limit: "bot grants" },
            retryable: false,
            retryAfterSeconds: 3600
          })
        const [created] = yield* sql`WITH g AS (
            INSERT INTO bot_grants (id, account, bot_address, scopes, label, created_at, expires_at)
            VALUES (${grant.id}, ${number}, ${grant.botAddress.toLowerCase()}, ${grant.scopes}, ${grant.label},
              unix_seconds(), ${grant.expiresAt})
            RETURNING *)
          SELECT ${columns} FROM g JOIN accounts a ON a.number = g.account`
        return yield* grantFromRow(created)
      }, refusingSql)

      const revoke = Effect.fn("GrantStore.revoke")(function* (grantId: string) {
        const { number } = yield* LockedAccount
        const [row] = yield* sql`WITH g AS (
            UPDATE bot_grants SET revoked_at = coalesce(revoked_at, unix_seconds())
            WHERE id = ${grantId} AND account = ${number} RETURNING *)
          SELECT ${columns} FROM g JOIN accounts a ON a.number = g.account`
        return row === undefined ? yield* new GrantNotFound() : yield* grantFromRow(row)
      }, refusingSql)

      return { list, insert, revoke }
    })
  )
}

/** The SQL of accounts. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { Settings } from "../settings/Settings.ts"
import { ACCOUNT_COLUMNS, type Account, accountFromRow, type Profile } from "./Account.ts"
import { LockedAccount } from "./AccountLock.ts"
import { makeEnrolmentCount } from "./EnrolmentsOfDay.ts"
import { type RateLimited, StorageLimit } from "./refusals.ts"

const ENROLMENT_LOCK = 7_310_002

export interface AccountIdentity {
  readonly accountId: string
  readonly authorityChainId: number
  /** Lower case. */
  readonly owner: string
}

export interface Enrolling extends AccountIdentity {
  /** The client address or network that a new account counts against. */
  readonly address: string
}

export class AccountStore extends Context.Tag("accounts/AccountStore")<
  AccountStore,
  {
    /** Inserts unless it exists, one enrolment at a time so that the bounds are exact; call it inside a transaction. */
    readonly enroll: (
      identity: Enrolling
    ) => Effect.Effect<Account, StorageLimit | RateLimited | DatabaseUnavailable>
    readonly replaceProfile: (profile: Profile) => Effect.Effect<Account, DatabaseUnavailable, LockedAccount>
  }
>() {
  static readonly layer = Layer.effect(
    AccountStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { accountCap } = yield* Settings
      const countOfDay = yield* makeEnrolmentCount

      const columns = sql.literal(ACCOUNT_COLUMNS)

      const find = (accountId: string) => sql`SELECT ${columns} FROM accounts WHERE id = ${accountId}`

      /** There are no more accounts than the highest number says, so that they are counted only where that reaches the cap. */
      const countUpToCap = sql<{ total: number }>`
        SELECT CASE WHEN (SELECT max(number) FROM accounts) < ${accountCap}::bigint THEN 0
          ELSE (SELECT count(*) FROM (SELECT 1 FROM accounts LIMIT ${accountCap}::bigint) kept) END AS total`

      const refuseAboveCap = Effect.gen(function* () {
        const [row] = yield* countUpToCap
        if ((row?.total ?? 0) >= accountCap)
          return yield* new StorageLimit({
            detail:
              "As many accounts are enrolled as this service takes; its operator can raise SERVICE_ACCOUNT_CAP.",
            context: { limit: "accounts" },
            retryable: false,
            retryAfterSeconds: 3600
          })
      })

      const insert = (identity: AccountIdentity) => sql`
        INSERT INTO accounts (id, authority_chain_id, owner_address, created_at, updated_at)
        VALUES (${identity.accountId}, ${identity.authorityChainId}, ${identity.owner}, unix_seconds(), unix_seconds())
        RETURNING ${columns}`

      const enroll = Effect.fn("AccountStore.enroll")(function* (identity: Enrolling) {
        yield* sql`SELECT pg_advisory_xact_lock(${ENROLMENT_LOCK})`
        const [known] = yield* find(identity.accountId)
        if (known !== undefined) return (yield* accountFromRow(known)).account
        yield* countOfDay(identity.address)
        yield* refuseAboveCap
        const [created] = yield* insert(identity)
        return (yield* accountFromRow(created)).account
      }, refusingSql)

      const replaceProfile = Effect.fn("AccountStore.replaceProfile")(function* (profile: Profile) {
        const locked = yield* LockedAccount
        const [row] = yield* sql`
          UPDATE accounts SET display_name = ${profile.displayName}, bio = ${profile.bio}, avatar_uri = ${profile.avatarUri},
            updated_at = unix_seconds()
          WHERE number = ${locked.number} RETURNING ${columns}`
        return (yield* accountFromRow(row)).account
      }, refusingSql)

      return { enroll, replaceProfile }
    })
  )
}

/** The only opener of account transactions: queue, transaction, account row, in this order. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Metric, MetricBoundaries } from "effect"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { transaction } from "../database/Transaction.ts"
import { ACCOUNT_COLUMNS, type Account, accountFromRow } from "./Account.ts"
import { AccountActors } from "./AccountActors.ts"
import { AccountNotFound, type ServiceBusy } from "./refusals.ts"

/** Proof that the account's row is locked by the running transaction; store functions ask for it. */
export class LockedAccount extends Context.Tag("accounts/LockedAccount")<
  LockedAccount,
  { readonly number: number; readonly account: Account }
>() {}

const lockWait = Metric.histogram(
  "service_account_lock_wait_seconds",
  MetricBoundaries.fromIterable([0.001, 0.005, 0.02, 0.1, 0.5, 1, 2.5, 5]),
  "Seconds until an account's row was locked, its round trip included."
)

export type LockFailure = AccountNotFound | ServiceBusy | DatabaseUnavailable

export class AccountLock extends Context.Tag("accounts/AccountLock")<
  AccountLock,
  {
    readonly with: (
      accountId: string
    ) => <A, E, R>(
      body: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | LockFailure, Exclude<R, LockedAccount>>
  }
>() {
  static readonly layer = Layer.effect(
    AccountLock,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const actors = yield* AccountActors

      const lockRow = Effect.fn("AccountLock.wait")(function* (accountId: string) {
        const began = performance.now()
        const [row] = yield* sql`
          SELECT ${sql.literal(ACCOUNT_COLUMNS)} FROM accounts WHERE id = ${accountId} FOR UPDATE`
        lockWait.unsafeUpdate((performance.now() - began) / 1_000, [])
        if (row === undefined) return yield* new AccountNotFound()
        return yield* accountFromRow(row)
      })

      return {
        with: accountId => body =>
          actors.run(
            accountId,
            transaction(sql, Effect.provideServiceEffect(body, LockedAccount, lockRow(accountId)))
          )
      }
    })
  )
}

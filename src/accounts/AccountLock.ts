/** The only opener of account transactions: queue, transaction, account row, in this order. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { transaction } from "../database/Transaction.ts"
import { type Account, accountFromRow } from "./Account.ts"
import { AccountActors } from "./AccountActors.ts"
import { AccountNotFound, type ServiceBusy } from "./refusals.ts"

/** Proof that the account's row is locked by the running transaction; store functions ask for it. */
export class LockedAccount extends Context.Tag("accounts/LockedAccount")<
  LockedAccount,
  { readonly number: number; readonly account: Account }
>() {}

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
        const [row] = yield* sql`SELECT * FROM accounts WHERE id = ${accountId} FOR UPDATE`
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

/** Gives a wallet's nonce on a chain to one step, for good. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import { LockedAccount } from "../accounts/AccountLock.ts"
import type { SignedTransaction } from "../chain/SignedTransaction.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { refusingSql } from "../database/SqlFailure.ts"
import { LockedPlan } from "../plans/LockedPlan.ts"
import { NonceReserved } from "./refusals.ts"

export class WalletNonce extends Context.Tag("dispatch/WalletNonce")<
  WalletNonce,
  {
    /** The database's milliseconds once the nonce is held, for which it may have waited. */
    readonly bind: (
      step: number,
      transaction: SignedTransaction
    ) => Effect.Effect<number, NonceReserved | DatabaseUnavailable, LockedAccount | LockedPlan>
  }
>() {
  static readonly layer = Layer.effect(
    WalletNonce,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      /** Changes nothing for the step that holds the nonce already; the row of another stays and answers nothing. */
      const bind = Effect.fn("WalletNonce.bind")(function* (step: number, transaction: SignedTransaction) {
        yield* LockedAccount
        const { plan } = yield* LockedPlan
        const sender = transaction.sender.toLowerCase()
        const nonce = String(transaction.nonce)
        const [held] = yield* sql<{
          now: number
        }>`INSERT INTO wallet_nonces AS w (chain_id, sender, nonce, plan, step)
          VALUES (${transaction.chainId}, ${sender}, ${nonce}::numeric, ${plan.id}, ${step})
          ON CONFLICT (chain_id, sender, nonce) DO UPDATE SET step = w.step
          WHERE w.plan = excluded.plan AND w.step = excluded.step RETURNING unix_millis() AS now`
        return held === undefined ? yield* new NonceReserved() : held.now
      }, refusingSql)

      return { bind }
    })
  )
}

/** Keeps the owner approvals that dispatches rested on, for audit. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import type { Approval } from "../auth/OwnerApproval.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { refusingSql } from "../database/SqlFailure.ts"
import { LockedPlan } from "../plans/LockedPlan.ts"
import type { Bytes32 } from "../values/Scalars.ts"

export class ApprovalStore extends Context.Tag("dispatch/ApprovalStore")<
  ApprovalStore,
  {
    readonly record: (
      step: number,
      hash: Bytes32,
      approval: Approval
    ) => Effect.Effect<void, DatabaseUnavailable, LockedPlan>
  }
>() {
  static readonly layer = Layer.effect(
    ApprovalStore,
    Effect.map(SqlClient.SqlClient, sql => ({
      record: Effect.fn("ApprovalStore.record")(function* (step: number, hash: Bytes32, approval: Approval) {
        const { plan } = yield* LockedPlan
        yield* sql`
          INSERT INTO owner_approvals (plan, step, hash, form, signer, issued_at, expires_at, nonce, recorded_at)
          VALUES (${plan.id}, ${step}, ${hash}, ${approval.form}, ${approval.signer}, ${approval.issuedAt},
            ${approval.expiresAt}, ${approval.nonce}, unix_millis())`
      }, refusingSql)
    }))
  )
}

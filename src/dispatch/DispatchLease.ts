/** The timed claim to broadcast: only its holder settles it. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { refusingSql } from "../database/SqlFailure.ts"
import type { DispatchStatus } from "../plans/Plan.ts"

export interface LeaseToken {
  readonly planId: string
  readonly step: number
  readonly token: string
}

export type Outcome = Exclude<DispatchStatus, "in-flight">

export class DispatchLease extends Context.Tag("dispatch/DispatchLease")<
  DispatchLease,
  {
    /** A stale token changes nothing. */
    readonly settle: (lease: LeaseToken, outcome: Outcome) => Effect.Effect<void, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    DispatchLease,
    Effect.map(SqlClient.SqlClient, sql => ({
      settle: ({ planId, step, token }, outcome) =>
        sql`
          UPDATE dispatch_leases SET outcome = ${outcome},
            broadcast_at = CASE WHEN ${outcome} = 'submitted' THEN unix_millis() END
          WHERE plan = ${planId} AND step = ${step} AND token = ${token} AND outcome IS NULL`.pipe(
          Effect.asVoid,
          refusingSql
        )
    }))
  )
}

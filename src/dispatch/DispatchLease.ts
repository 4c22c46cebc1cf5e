/** The timed claim to broadcast: only its holder settles it. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import type { DispatchStatus } from "../plans/Plan.ts"
import { planFromRow, type StoredPlan } from "../plans/PlanRow.ts"

export interface LeaseToken {
  readonly planId: string
  readonly step: number
  readonly token: string
}

export type DispatchOutcome = Exclude<DispatchStatus, "in-flight">

const SETTLE = `SELECT p.*, unix_millis() AS now
FROM settle_dispatch($1::uuid, $2::smallint, $3::uuid, $4) p`

export class DispatchLease extends Context.Tag("dispatch/DispatchLease")<
  DispatchLease,
  {
    /** The plan as it then is; a stale token changes nothing. */
    readonly settle: (
      lease: LeaseToken,
      outcome: DispatchOutcome
    ) => Effect.Effect<StoredPlan, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    DispatchLease,
    Effect.map(SqlClient.SqlClient, sql => ({
      settle: ({ planId, step, token }, outcome) =>
        sql.unsafe(SETTLE, [planId, step, token, outcome]).pipe(
          refusingSql,
          Effect.flatMap(([row]) => planFromRow(row))
        )
    }))
  )
}

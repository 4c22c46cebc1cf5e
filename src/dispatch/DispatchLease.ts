/** The timed claim to broadcast: one holder at a time, on the database's clock, and only its holder settles it. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Option } from "effect"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { refusingSql } from "../database/SqlFailure.ts"
import { LockedPlan } from "../plans/LockedPlan.ts"
import type { DispatchStatus } from "../plans/Plan.ts"
import { RandomIds } from "../values/RandomIds.ts"
import type { Bytes32 } from "../values/Scalars.ts"

const LEASE_MS = 30_000

export interface LeaseToken {
  readonly planId: string
  readonly step: number
  readonly token: string
}

export type Outcome = Exclude<DispatchStatus, "in-flight">

export class DispatchLease extends Context.Tag("dispatch/DispatchLease")<
  DispatchLease,
  {
    /**
     * None while another claim lives or stands settled; an uncertain or expired one may be claimed again for the same
     * bytes by who knew of it before its preflight.
     */
    readonly claim: (
      step: number,
      hash: Bytes32,
      claimsSeen: number
    ) => Effect.Effect<Option.Option<LeaseToken>, DatabaseUnavailable, LockedPlan>
    /** Notes that the chain knows the bytes, so that nothing is to be sent; what a living or a settled claim says stays. */
    readonly observe: (step: number, hash: Bytes32) => Effect.Effect<void, DatabaseUnavailable, LockedPlan>
    /** A stale token changes nothing. */
    readonly settle: (lease: LeaseToken, outcome: Outcome) => Effect.Effect<void, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    DispatchLease,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ids = yield* RandomIds

      const claim = Effect.fn("DispatchLease.claim")(function* (
        step: number,
        hash: Bytes32,
        claimsSeen: number
      ) {
        const { plan } = yield* LockedPlan
        const token = yield* ids.uuid
        const rows = yield* sql`
          INSERT INTO dispatch_leases AS l (plan, step, token, hash, count, reserved_at, expires_at)
          VALUES (${plan.id}, ${step}, ${token}, ${hash}, 1, unix_millis(), unix_millis() + ${LEASE_MS})
          ON CONFLICT (plan, step) DO UPDATE SET token = excluded.token, count = l.count + 1, outcome = NULL,
            reserved_at = excluded.reserved_at, expires_at = excluded.expires_at, broadcast_at = NULL
          WHERE l.hash = excluded.hash AND l.count = ${claimsSeen}
            AND (l.expires_at <= unix_millis() OR l.outcome = 'unknown')
          RETURNING l.token`
        return rows.length === 0 ? Option.none() : Option.some({ planId: plan.id, step, token })
      }, refusingSql)

      const observe = Effect.fn("DispatchLease.observe")(function* (step: number, hash: Bytes32) {
        const { plan } = yield* LockedPlan
        const token = yield* ids.uuid
        yield* sql`
          INSERT INTO dispatch_leases AS l (plan, step, token, hash, count, reserved_at, expires_at, outcome)
          VALUES (${plan.id}, ${step}, ${token}, ${hash}, 1, unix_millis(), unix_millis() + ${LEASE_MS}, 'already-observed')
          ON CONFLICT (plan, step) DO UPDATE SET outcome = excluded.outcome
          WHERE l.outcome = 'unknown' OR (l.outcome IS NULL AND l.expires_at <= unix_millis())`
      }, refusingSql)

      const settle = Effect.fn("DispatchLease.settle")(
        ({ planId, step, token }: LeaseToken, outcome: Outcome) =>
          Effect.asVoid(sql`
            UPDATE dispatch_leases SET outcome = ${outcome},
              broadcast_at = CASE WHEN ${outcome} = 'submitted' THEN unix_millis() END
            WHERE plan = ${planId} AND step = ${step} AND token = ${token} AND outcome IS NULL`),
        refusingSql
      )

      return { claim, observe, settle }
    })
  )
}

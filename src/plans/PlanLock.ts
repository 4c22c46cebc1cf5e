/** Locks a plan after its account; there is no other way to a plan's lock. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import { LockedAccount } from "../accounts/AccountLock.ts"
import type { Actor } from "../accounts/Principal.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { refusingSql } from "../database/SqlFailure.ts"
import { LockedPlan } from "./LockedPlan.ts"
import { PlanStore } from "./PlanStore.ts"
import { PlanNotFound } from "./refusals.ts"

export class PlanLock extends Context.Tag("plans/PlanLock")<
  PlanLock,
  {
    /** Only the principal that created the plan may lock it. */
    readonly with: (
      planId: string,
      actor: Actor
    ) => <A, E, R>(
      body: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | PlanNotFound | DatabaseUnavailable, Exclude<R, LockedPlan> | LockedAccount>
  }
>() {
  static readonly layer = Layer.effect(
    PlanLock,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const plans = yield* PlanStore

      const lock = Effect.fn("PlanLock.wait")(function* (planId: string, actor: Actor) {
        const { number } = yield* LockedAccount
        const rows = yield* sql`SELECT 1 FROM plans
          WHERE id = ${planId} AND account = ${number} AND principal = ${actor.id} FOR UPDATE`
        if (rows.length === 0) return yield* new PlanNotFound()
        return { plan: yield* plans.find(planId, actor) }
      }, refusingSql)

      return {
        with: (planId, actor) => body => Effect.provideServiceEffect(body, LockedPlan, lock(planId, actor))
      }
    })
  )
}

/** Which step holds a wallet's nonce for good, for whoever may see its plan, and what frees the wallet. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Option } from "effect"
import type { Actor } from "../accounts/Principal.ts"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import { PlanExpired, planOver } from "../plans/refusals.ts"
import { NonceReserved, SponsorshipConflict } from "./refusals.ts"
import type { Nonce } from "./Transport.ts"

export interface NonceHolder {
  readonly planId: string
  readonly stepIndex: number
  readonly transactionHash: string
  /** It pays for what can be executed no more. */
  readonly isInVain?: boolean
}

const HOLDER = `SELECT w.plan AS "planId", w.step AS "stepIndex", b.hash AS "transactionHash",
  pays_in_vain(w.plan) AS "isInVain"
FROM reserved_nonces w
JOIN transport_bindings b ON b.plan = w.plan AND b.step = w.step
JOIN plans p ON p.id = w.plan
JOIN accounts a ON a.number = p.account
WHERE w.scope = $1 AND w.nonce = $2 AND b.hash IS NOT NULL
  AND a.id = $3 AND ($4::text IS NULL OR p.principal = $4)`

const FREES =
  "The wallet is free to go on once those very bytes are mined, which may be submitted again for that step whatever its plan's age, or once it spends the nonce on another transaction by itself."

const IN_VAIN =
  "What it pays for can be executed no more, so that its bytes are not sent again: the wallet is free to go on once it spends the nonce on another transaction by itself."

const held = ({ planId, stepIndex, transactionHash }: NonceHolder): string =>
  `This nonce of the wallet belongs for good to step ${stepIndex} of plan ${planId}, with transaction ${transactionHash}.`

const HIDDEN =
  "This nonce of the wallet belongs for good to a step of a plan that this principal may not see."

export const nonceReserved = (holder: Option.Option<NonceHolder>): NonceReserved =>
  Option.match(holder, {
    onNone: () => new NonceReserved({ detail: `${HIDDEN} ${FREES}` }),
    onSome: ({ isInVain, ...context }) =>
      new NonceReserved({ detail: `${held(context)} ${isInVain ? IN_VAIN : FREES}`, context })
  })

/** Of a step that was admitted. */
export const paidInVain = ({ text }: Nonce): SponsorshipConflict =>
  new SponsorshipConflict({
    detail: `This step holds the wallet's nonce ${text} for good. ${IN_VAIN}`,
    context: { nonce: text }
  })

/** The sentence says what an expired plan no longer admits, or no longer simulates. */
export const planExpired = (
  plan: Pick<StoredPlan, "restoredAt">,
  sentence: string,
  holder: Option.Option<NonceHolder>
): PlanExpired =>
  Option.match(holder, {
    onNone: () => planOver(plan, `${sentence} Prepare a new plan.`),
    onSome: ({ isInVain, ...context }) => {
      const over = planOver(plan, sentence)
      return new PlanExpired({
        detail: `${over.detail} ${held(context)} ${isInVain ? IN_VAIN : FREES}`,
        context: { ...over.context, ...context }
      })
    }
  })

export class NonceHolders extends Context.Tag("dispatch/NonceHolders")<
  NonceHolders,
  {
    /** None where no step holds the nonce, or the actor may not see whose it is. */
    readonly find: (
      actor: Actor,
      nonce: Nonce
    ) => Effect.Effect<Option.Option<NonceHolder>, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    NonceHolders,
    Effect.map(SqlClient.SqlClient, sql => ({
      find: (actor, { scope, text }) =>
        sql
          .unsafe<NonceHolder>(HOLDER, [
            scope,
            text,
            actor.accountId,
            actor.kind === "owner" ? null : actor.id
          ])
          .pipe(
            refusingSql,
            Effect.map(([row]) => Option.fromNullable(row))
          )
    }))
  )
}

/** The plan that a principal submits: its own. An owner who names a bot's is told whose it is to submit, and how to go on. */
import { Effect } from "effect"
import type { BotGrant } from "../accounts/Account.ts"
import { GrantStore } from "../accounts/GrantStore.ts"
import type { Actor } from "../accounts/Principal.ts"
import type { RequestKey } from "../auth/Idempotency.ts"
import { PlanStore } from "../plans/PlanStore.ts"
import { PlanNotFound } from "../plans/refusals.ts"

const OWN = "prepare a plan of your own"

const wayOn = (principalId: string, { state, scopes }: BotGrant): string => {
  if (state !== "active")
    return `The plan is for ${principalId} to submit, whose grant is ${state}: nothing more of it is admitted, while what was admitted is still reconciled. To go on, ${OWN}; an admitted step's transaction is your wallet's to send.`
  if (!scopes.some(scope => scope === "relay"))
    return `The plan is for ${principalId} to submit, whose grant lacks the scope relay: nobody submits it. To go on, ${OWN}.`
  return `The plan is for ${principalId} to submit, with your ownerApproval of the exact bytes in the bot's request. To send it yourself, ${OWN}.`
}

const ofBot = Effect.fnUntraced(function* (actor: Actor, planId: string, absent: PlanNotFound) {
  if (actor.kind !== "owner") return yield* absent
  const { principalId } = yield* (yield* PlanStore).find(planId, actor)
  const grants = yield* (yield* GrantStore).list(actor.accountId)
  const grant = grants.find(({ id }) => principalId === `bot:${id}`)
  if (grant === undefined) return yield* absent
  return yield* new PlanNotFound({
    detail: wayOn(principalId, grant),
    context: { principalId, grantState: grant.state }
  })
})

export const findOwnPlan = Effect.fnUntraced(function* (actor: Actor, planId: string, key: RequestKey) {
  const plans = yield* PlanStore
  return yield* Effect.catchTag(plans.findOwn(planId, key), "PLAN_NOT_FOUND", absent =>
    ofBot(actor, planId, absent)
  )
})

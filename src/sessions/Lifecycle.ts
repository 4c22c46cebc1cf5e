/** Plans by which a wallet's owners enable a session and revoke it: each is admitted in the moment in which it is stored. */
import { Data, Effect } from "effect"
import { type Actor, Principal } from "../accounts/Principal.ts"
import { type RequestKey, requestKey } from "../auth/Idempotency.ts"
import { ownRequestDigest } from "../auth/OwnRequestDigest.ts"
import { createAdmittedPlan } from "../plans/CreatePlan.ts"
import type { Plan } from "../plans/Plan.ts"
import { publicPlan } from "../plans/PlanRow.ts"
import { PlanStore } from "../plans/PlanStore.ts"
import type { NewPlan } from "../plans/StorePlan.ts"
import { SessionNotActive } from "../useroperations/refusals.ts"
import { failpoint } from "../values/Failpoint.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { activationDraft, revocationDraft } from "./LifecycleDrafts.ts"
import { type LifecycleKind, LifecycleStore } from "./LifecycleStore.ts"
import { observeSession } from "./ObserveSession.ts"
import { SessionChanged } from "./refusals.ts"
import type { StoredSession } from "./SessionRow.ts"
import { invalidationOf, sessionState } from "./SessionState.ts"
import { SessionStore } from "./SessionStore.ts"

export interface AskedLifecycle {
  readonly sessionId: string
  /** Of the policy that the owner acknowledges. */
  readonly compiledHash: Bytes32
}

export interface AdmittedLifecycle {
  readonly session: StoredSession
  /** Null where the guard did already what was asked, and not by a plan of this service's. */
  readonly plan: Plan | null
  /** Whether the guard was seen to have done what was asked. */
  readonly installationConfirmed: boolean
  readonly replayed: boolean
}

/** There is nothing to plan: whoever told the guard so, it did what is asked. */
class LifecycleReached extends Data.TaggedError("LifecycleReached") {}

const acknowledged = Effect.fnUntraced(function* ({ sessionId, compiledHash }: AskedLifecycle) {
  const stored = yield* (yield* SessionStore).find(sessionId, yield* Principal)
  if (stored.compiled.compiledHash !== compiledHash) return yield* new SessionChanged()
  return yield* observeSession(stored)
})

const notActive = (stored: StoredSession) => {
  const reason = invalidationOf(stored)?.reason
  const state = sessionState(stored)
  return new SessionNotActive({ context: { state, ...(reason !== undefined && { reason }) } })
}

const toActivate = Effect.fnUntraced(function* (asked: AskedLifecycle) {
  const stored = yield* acknowledged(asked)
  const state = sessionState(stored)
  if (state === "active") return yield* new LifecycleReached()
  return state === "prepared" || state === "installing"
    ? yield* activationDraft(stored)
    : yield* notActive(stored)
})

/** One that nothing enables, or can any more, is not there to be revoked. */
const isNothing = ({ observation, activation, releasedAt }: StoredSession): boolean =>
  (activation === undefined || releasedAt !== undefined) && observation?.status !== "enabled"

const toRevoke = Effect.fnUntraced(function* (asked: AskedLifecycle) {
  const stored = yield* acknowledged(asked)
  if (sessionState(stored) === "revoked") return yield* new LifecycleReached()
  return isNothing(stored) ? yield* notActive(stored) : yield* revocationDraft(stored)
})

const admitting =
  (kind: LifecycleKind, asked: AskedLifecycle) => (actor: Actor, key: RequestKey, plan: NewPlan) =>
    Effect.gen(function* () {
      yield* failpoint("session.planned")
      const proposed = { ...asked, kind, plan, ownerRequestDigest: yield* ownRequestDigest }
      const { planId } = yield* (yield* LifecycleStore).admit(actor, key, proposed)
      yield* failpoint("session.admitted")
      return planId ?? (yield* new LifecycleReached())
    })

const REACHED = { activation: "enabled", revocation: "revoked" } as const

const outcome = Effect.fnUntraced(function* (
  kind: LifecycleKind,
  { sessionId }: AskedLifecycle,
  { plan, replayed }: Pick<AdmittedLifecycle, "plan" | "replayed">
) {
  const session = yield* (yield* SessionStore).find(sessionId, yield* Principal)
  const installationConfirmed = session.observation?.status === REACHED[kind]
  const admitted: AdmittedLifecycle = { session, plan, installationConfirmed, replayed }
  return admitted
})

/** With the plan that is the current one, if there is one. */
const reached = Effect.fnUntraced(
  function* (kind: LifecycleKind, asked: AskedLifecycle) {
    const actor = yield* Principal
    const lifecycles = yield* LifecycleStore
    const { planId, replayed } = yield* lifecycles.keepReached(actor, yield* requestKey, { ...asked, kind })
    const plan = planId === undefined ? null : publicPlan(yield* (yield* PlanStore).find(planId, actor))
    return yield* outcome(kind, asked, { plan, replayed })
  },
  Effect.catchTag("PLAN_NOT_FOUND", Effect.die)
)

export const activateSession = (asked: AskedLifecycle) =>
  createAdmittedPlan(
    isKept => (isKept ? new LifecycleReached() : toActivate(asked)),
    admitting("activation", asked)
  ).pipe(
    Effect.flatMap(created => outcome("activation", asked, created)),
    Effect.catchTag("LifecycleReached", () => reached("activation", asked)),
    Effect.withSpan("Lifecycle.activate")
  )

export const revokeSession = (asked: AskedLifecycle) =>
  createAdmittedPlan(
    isKept => (isKept ? new LifecycleReached() : toRevoke(asked)),
    admitting("revocation", asked)
  ).pipe(
    Effect.flatMap(created => outcome("revocation", asked, created)),
    Effect.catchTag("LifecycleReached", () => reached("revocation", asked)),
    Effect.withSpan("Lifecycle.revoke")
  )

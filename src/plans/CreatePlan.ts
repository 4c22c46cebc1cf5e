/** Stores a prepared plan once for its idempotency key; a repeat gives the stored plan before any upstream work. */
import { Effect, Option } from "effect"
import { AccountLock } from "../accounts/AccountLock.ts"
import { GrantStore } from "../accounts/GrantStore.ts"
import { type Actor, Principal } from "../accounts/Principal.ts"
import { Idempotency, type Outcome, type RequestKey, requestKey } from "../auth/Idempotency.ts"
import { DatabaseClock } from "../database/DatabaseClock.ts"
import { Settings } from "../settings/Settings.ts"
import { failpoint } from "../values/Failpoint.ts"
import { RandomIds } from "../values/RandomIds.ts"
import type { Address } from "../values/Scalars.ts"
import { commitmentOf } from "./Commitment.ts"
import type { Plan } from "./Plan.ts"
import { checkDraft, type PlanDraft } from "./PlanDraft.ts"
import { publicPlan } from "./PlanRow.ts"
import { type NewPlan, PlanStore } from "./PlanStore.ts"
import { PlanAccountMismatch } from "./refusals.ts"

export interface Created {
  readonly plan: Plan
  readonly replayed: boolean
}

/** Counted from the oldest block that the plan rests on, so that old evidence does not live longer. */
const expiryOf = (draft: PlanDraft, now: number, ttlSeconds: number): number =>
  Math.min(now, ...draft.evidence.map(({ timestamp }) => Number(timestamp) * 1000)) + ttlSeconds * 1000

const proposed = Effect.fnUntraced(function* (actor: Actor, draft: PlanDraft) {
  const { plans } = yield* Settings
  const now = yield* (yield* DatabaseClock).millis
  const id = yield* (yield* RandomIds).uuid
  const expiresAt = Math.max(now, expiryOf(draft, now, plans.ttlSeconds))
  const commitment = commitmentOf(
    { ...draft, expiresAt },
    { accountId: actor.accountId, principalId: actor.id }
  )
  const plan: NewPlan = { id, principalId: actor.id, terms: draft, commitment, createdAt: now, expiresAt }
  return plan
})

/** Under the account lock: the grant still stands, and no twin was faster. */
const storeOnce = Effect.fn("CreatePlan.store")(function* (actor: Actor, key: RequestKey, plan: NewPlan) {
  const idempotency = yield* Idempotency
  const plans = yield* PlanStore
  const grants = yield* GrantStore
  yield* failpoint("create.locked")
  if (actor.kind === "bot") yield* grants.requireActive(actor.grantId, "plan")
  yield* failpoint("create.grantActive")
  const twin = yield* idempotency.find(key)
  if (Option.isSome(twin)) return { id: twin.value.planId, replayed: true }
  yield* plans.insert(plan)
  yield* failpoint("create.inserted")
  yield* idempotency.record(key, { kind: "plan", planId: plan.id, step: undefined })
  yield* failpoint("create.keyRecorded")
  return { id: plan.id, replayed: false }
})

const stored = Effect.fnUntraced(function* (
  actor: Actor,
  { id, replayed }: { id: string; replayed: boolean }
) {
  const plans = yield* PlanStore
  const created: Created = { plan: publicPlan(yield* plans.find(id, actor)), replayed }
  yield* failpoint("create.read")
  return created
})

const prepareAndStore = <E, R>(actor: Actor, key: RequestKey, prepare: Effect.Effect<PlanDraft, E, R>) =>
  Effect.gen(function* () {
    const lock = yield* AccountLock
    const draft = yield* prepare
    yield* failpoint("create.prepared")
    yield* checkDraft(draft, actor.ownerAddress)
    const plan = yield* proposed(actor, draft)
    yield* failpoint("create.proposed")
    const outcome = yield* lock.with(actor.accountId)(storeOnce(actor, key, plan))
    yield* failpoint("create.committed")
    return yield* stored(actor, outcome)
  })

const replay = (actor: Actor, { planId }: Outcome) => stored(actor, { id: planId, replayed: true })

/** Whose wallet it is for is looked at before anything is prepared for it. */
export const createPlan = <E, R>(wallet: Address, prepare: Effect.Effect<PlanDraft, E, R>) =>
  Effect.gen(function* () {
    const actor = yield* Principal
    const key = yield* requestKey
    const earlier = yield* (yield* Idempotency).find(key)
    yield* failpoint("create.keyLookedUp")
    if (Option.isNone(earlier) && wallet.toLowerCase() !== actor.ownerAddress)
      return yield* new PlanAccountMismatch()
    return Option.isSome(earlier)
      ? yield* replay(actor, earlier.value)
      : yield* prepareAndStore(actor, key, prepare)
  }).pipe(Effect.withSpan("CreatePlan.create"))

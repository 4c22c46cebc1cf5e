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
import { publicPlan, type StoredPlan } from "./PlanRow.ts"
import { type NewPlan, PlanStore } from "./PlanStore.ts"
import { PlanAccountMismatch } from "./refusals.ts"
import { EMPTY_FACTS } from "./Step.ts"

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

/** Under the account lock: the grant still stands; answers the twin that was faster, if there is one. */
const storeOnce = Effect.fn("CreatePlan.store")(function* (actor: Actor, key: RequestKey, plan: NewPlan) {
  const idempotency = yield* Idempotency
  const plans = yield* PlanStore
  const grants = yield* GrantStore
  yield* failpoint("create.locked")
  if (actor.kind === "bot") yield* grants.requireActive(actor.grantId, "plan")
  yield* failpoint("create.grantActive")
  const twin = yield* idempotency.find(key)
  if (Option.isSome(twin)) return twin
  yield* plans.insert(plan)
  yield* failpoint("create.inserted")
  yield* idempotency.record(key, { kind: "plan", planId: plan.id, step: undefined })
  yield* failpoint("create.keyRecorded")
  return twin
})

const replay = Effect.fnUntraced(function* (actor: Actor, { planId }: Outcome) {
  const plans = yield* PlanStore
  const created: Created = { plan: publicPlan(yield* plans.find(planId, actor)), replayed: true }
  yield* failpoint("create.replayed")
  return created
})

/** The record as its insertion left it, so that it need not be read again. */
const asStored = (plan: NewPlan, accountId: string): StoredPlan => ({
  ...plan,
  accountId,
  revision: 0,
  now: plan.createdAt,
  watched: false,
  facts: plan.terms.calls.map(() => EMPTY_FACTS)
})

const prepareAndStore = <E, R>(actor: Actor, key: RequestKey, prepare: Effect.Effect<PlanDraft, E, R>) =>
  Effect.gen(function* () {
    const lock = yield* AccountLock
    const draft = yield* prepare
    yield* failpoint("create.prepared")
    yield* checkDraft(draft, actor.ownerAddress)
    const plan = yield* proposed(actor, draft)
    yield* failpoint("create.proposed")
    const twin = yield* lock.with(actor.accountId)(storeOnce(actor, key, plan))
    yield* failpoint("create.committed")
    if (Option.isSome(twin)) return yield* replay(actor, twin.value)
    const created: Created = { plan: publicPlan(asStored(plan, actor.accountId)), replayed: false }
    return created
  })

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

/** Stores a prepared plan once for its idempotency key; a repeat gives the stored plan before any upstream work. */
import { Effect, Option } from "effect"
import { type Actor, Principal } from "../accounts/Principal.ts"
import { Idempotency, type RequestKey, requestKey } from "../auth/Idempotency.ts"
import { RpcBehind } from "../chain/refusals.ts"
import { Settings } from "../settings/Settings.ts"
import { failpoint } from "../values/Failpoint.ts"
import { RandomIds } from "../values/RandomIds.ts"
import type { Address } from "../values/Scalars.ts"
import { commitmentHash } from "./Commitment.ts"
import type { Plan } from "./Plan.ts"
import { checkDraft, type PlanDraft, type WalletDraft } from "./PlanDraft.ts"
import { publicPlan, type StoredPlan } from "./PlanRow.ts"
import { PlanStore } from "./PlanStore.ts"
import { PlanAccountMismatch } from "./refusals.ts"
import { EMPTY_FACTS } from "./Step.ts"
import { type NewPlan, StorePlan } from "./StorePlan.ts"

export interface Created {
  readonly plan: Plan
  readonly replayed: boolean
}

/** Counted from the oldest block that the plan rests on, so that old evidence does not live longer. */
const expiryOf = (draft: PlanDraft, now: number, ttlSeconds: number): number =>
  Math.min(now, ...draft.evidence.map(({ timestamp }) => Number(timestamp) * 1000)) + ttlSeconds * 1000

const TOO_OLD =
  "The latest block of a chain of the plan is older than a plan lives: the plan would have ended as it was made."

const proposed = Effect.fnUntraced(function* (actor: Actor, draft: PlanDraft, now: number) {
  const { plans } = yield* Settings
  const id = yield* (yield* RandomIds).uuid
  const expiresAt = expiryOf(draft, now, plans.ttlSeconds)
  if (expiresAt <= now) return yield* new RpcBehind({ detail: TOO_OLD })
  const commitment = commitmentHash(
    { ...draft, expiresAt },
    { accountId: actor.accountId, principalId: actor.id }
  )
  const plan: NewPlan = { id, terms: draft, commitment, createdAt: now, expiresAt }
  return plan
})

/** What a key leads to is stored with it, and for good. */
const replay = Effect.fnUntraced(
  function* (actor: Actor, planId: string) {
    const plans = yield* PlanStore
    const created: Created = { plan: publicPlan(yield* plans.find(planId, actor)), replayed: true }
    yield* failpoint("create.replayed")
    return created
  },
  Effect.catchTag("PLAN_NOT_FOUND", Effect.die)
)

/** The record as its insertion left it, so that it need not be read again. */
const asStored = (plan: NewPlan, actor: Actor): StoredPlan => ({
  ...plan,
  accountId: actor.accountId,
  principalId: actor.id,
  revision: 0,
  now: plan.createdAt,
  watched: false,
  facts: plan.terms.calls.map(() => EMPTY_FACTS)
})

/** The plan that the key leads to from then on: the given one, or its faster twin. */
type StoreOnce<E, R> = (actor: Actor, key: RequestKey, plan: NewPlan) => Effect.Effect<string, E, R>

const stored = (actor: Actor, key: RequestKey, plan: NewPlan) =>
  Effect.flatMap(StorePlan, plans => plans.store(actor, key, plan))

/** What may be done is looked at again in the moment from which on the key is the plan's. */
const storeOnce = Effect.fnUntraced(function* <E, R>(
  actor: Actor,
  key: RequestKey,
  plan: NewPlan,
  store: StoreOnce<E, R>
) {
  const id = yield* store(actor, key, plan)
  yield* failpoint("create.stored")
  if (id !== plan.id) return yield* replay(actor, id)
  const created: Created = { plan: publicPlan(asStored(plan, actor)), replayed: false }
  return created
})

/** What the key leads to, or else what is prepared now; it is told whether the key was kept without a plan. */
const createOnce = Effect.fn("CreatePlan.create")(function* <E, R, E2, R2>(
  prepare: (actor: Actor, isKept: boolean) => Effect.Effect<PlanDraft, E, R>,
  store: StoreOnce<E2, R2>
) {
  const actor = yield* Principal
  const key = yield* requestKey
  const { outcome, millis } = yield* (yield* Idempotency).lookUp(key)
  yield* failpoint("create.keyLookedUp")
  const known = Option.getOrUndefined(outcome)
  if (known?.planId !== undefined) return yield* replay(actor, known.planId)
  const draft = yield* prepare(actor, known !== undefined)
  yield* failpoint("create.prepared")
  yield* checkDraft(draft, actor.ownerAddress)
  const plan = yield* proposed(actor, draft, millis)
  yield* failpoint("create.proposed")
  return yield* storeOnce(actor, key, plan, store)
})

/** Whose wallet it is for is looked at before anything is prepared for it. */
export const createPlan = <E, R>(wallet: Address, prepare: Effect.Effect<PlanDraft, E, R>) =>
  createOnce(
    ({ ownerAddress }): Effect.Effect<PlanDraft, E | PlanAccountMismatch, R> =>
      wallet.toLowerCase() === ownerAddress ? prepare : new PlanAccountMismatch(),
    stored
  )

/** For a wallet that was seen to be bound to the account, in the same state, at the draft's block. */
export const createBoundPlan = <E, R>(prepare: Effect.Effect<WalletDraft, E, R>) =>
  createOnce(() => prepare, stored)

/** As that, where storing it is more than storing a plan, and a key may be kept without one. */
export const createAdmittedPlan = <E, R, E2, R2>(
  prepare: (isKept: boolean) => Effect.Effect<WalletDraft, E, R>,
  admit: StoreOnce<E2, R2>
) => createOnce((_, isKept) => prepare(isKept), admit)

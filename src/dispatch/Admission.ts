/** The admission claim: one short transaction that rechecks everything on the database's clock and binds for good. */
import { Effect, Option } from "effect"
import { AccountLock } from "../accounts/AccountLock.ts"
import { GrantStore } from "../accounts/GrantStore.ts"
import type { Actor } from "../accounts/Principal.ts"
import { Idempotency, type NewOutcome, type RequestKey } from "../auth/Idempotency.ts"
import { type Approval, checkFreshness } from "../auth/OwnerApproval.ts"
import type { SignedTransaction } from "../chain/SignedTransaction.ts"
import { LockedPlan } from "../plans/LockedPlan.ts"
import type { Call } from "../plans/Plan.ts"
import { PlanLock } from "../plans/PlanLock.ts"
import { PlanStore } from "../plans/PlanStore.ts"
import { DependenciesUnconfirmed, PlanExpired } from "../plans/refusals.ts"
import { blockersOf } from "../plans/Step.ts"
import { failpoint } from "../values/Failpoint.ts"
import { ApprovalStore } from "./ApprovalStore.ts"
import { DispatchLease } from "./DispatchLease.ts"
import { TransportBinding } from "./TransportBinding.ts"
import { WalletNonce } from "./WalletNonce.ts"

const FIRST_SWEEP_MS = 2_000

export interface Submission {
  readonly actor: Actor
  readonly key: RequestKey
  readonly planId: string
  readonly step: number
  readonly call: Call
  readonly transaction: SignedTransaction
  /** How often the step had been claimed before the chain was asked about it. */
  readonly claimsSeen: number
}

const recheckPlan = Effect.fnUntraced(function* (call: Call, now: number) {
  const { plan } = yield* LockedPlan
  if (plan.expiresAt <= now) return yield* new PlanExpired()
  const blockedBy = blockersOf(call, plan.terms.calls, plan.facts)
  if (blockedBy.length > 0) return yield* new DependenciesUnconfirmed({ context: { blockedBy } })
})

const recheckGrant = Effect.fnUntraced(function* (actor: Actor) {
  if (actor.kind === "bot") yield* (yield* GrantStore).requireActive(actor.grantId, "relay")
})

const record = Effect.fnUntraced(function* (key: RequestKey, outcome: NewOutcome) {
  const idempotency = yield* Idempotency
  const known = yield* idempotency.find(key)
  yield* failpoint("claim.keyLookedUp")
  if (Option.isNone(known)) yield* idempotency.record(key, outcome)
  yield* failpoint("claim.keyRecorded")
})

const recordOutcome = ({ key, planId, step }: Submission) => record(key, { kind: "submission", planId, step })

const bind = Effect.fnUntraced(function* ({ step, transaction }: Submission) {
  yield* (yield* TransportBinding).bind(step, transaction)
  yield* failpoint("claim.transportBound")
  const now = yield* (yield* WalletNonce).bind(step, transaction)
  yield* failpoint("claim.nonceBound")
  return now
})

const underLocks = <A, E, R>(
  { actor, planId }: Pick<Submission, "actor" | "planId">,
  body: Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const accounts = yield* AccountLock
    const plans = yield* PlanLock
    const planned = plans.with(planId, actor)(Effect.zipRight(failpoint("claim.planLocked"), body))
    yield* failpoint("claim.begun")
    const result = yield* accounts.with(actor.accountId)(
      Effect.zipRight(failpoint("claim.accountLocked"), planned)
    )
    yield* failpoint("claim.committed")
    return result
  })

/** Claims the right to broadcast; none when another claim has it or had it. */
export const admit = Effect.fn("Admission.claim")(function* (submission: Submission, approval: Approval) {
  const { actor, step, transaction, call, claimsSeen } = submission
  const claim = Effect.gen(function* () {
    /** May wait for a claim of the same wallet under another account; time is looked at afterwards. */
    const now = yield* bind(submission)
    yield* recheckGrant(actor)
    yield* failpoint("claim.grantActive")
    yield* checkFreshness(approval, now)
    yield* recheckPlan(call, now)
    yield* failpoint("claim.planCurrent")
    const lease = yield* (yield* DispatchLease).claim(step, transaction.hash, claimsSeen)
    yield* failpoint("claim.leased")
    yield* recordOutcome(submission)
    if (Option.isSome(lease)) yield* (yield* ApprovalStore).record(step, transaction.hash, approval)
    yield* failpoint("claim.approvalRecorded")
    yield* (yield* PlanStore).touch(FIRST_SWEEP_MS)
    yield* failpoint("claim.due")
    return lease
  })
  return yield* underLocks(submission, claim)
})

/** Binds a transaction that its chain already knows; nothing will be sent, so nothing needs approval. */
export const admitObserved = Effect.fn("Admission.observe")(function* (submission: Submission) {
  const { actor, step, transaction } = submission
  const claim = Effect.gen(function* () {
    yield* recheckGrant(actor)
    yield* failpoint("observed.grantActive")
    yield* bind(submission)
    yield* failpoint("observed.bound")
    yield* (yield* DispatchLease).observe(step, transaction.hash)
    yield* failpoint("observed.noted")
    yield* recordOutcome(submission)
    yield* (yield* PlanStore).touch(FIRST_SWEEP_MS)
    yield* failpoint("observed.due")
  })
  yield* underLocks(submission, claim)
})

/** Remembers the outcome of a repeat under a new key, of a step that needs no new dispatch. */
export const recordRepeat = Effect.fn("Admission.repeat")((submission: Submission) =>
  underLocks(submission, recordOutcome(submission))
)

/** Gives a bundle's key to its request before the first item is looked at. */
export const openBundle = Effect.fn("Admission.bundle")(function* (
  bundle: Pick<Submission, "actor" | "key" | "planId">
) {
  const { actor, key, planId } = bundle
  const opening = record(key, { kind: "bundle", planId, step: undefined })
  yield* underLocks(bundle, Effect.zipRight(recheckGrant(actor), opening))
})

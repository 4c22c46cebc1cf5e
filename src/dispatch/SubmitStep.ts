/** Relays a step's signed transaction: monitors what its chain already knows, else checks, claims and sends it once. */
import { Effect, Option } from "effect"
import { type Actor, Principal } from "../accounts/Principal.ts"
import { type RequestKey, requestKey } from "../auth/Idempotency.ts"
import { type Approval, approve, requirePresence } from "../auth/OwnerApproval.ts"
import type { ChainSession } from "../chain/ChainClient.ts"
import type { SignedTransaction } from "../chain/SignedTransaction.ts"
import type { Dispatch, Plan } from "../plans/Plan.ts"
import { factsOf, publicPlan, type StoredPlan } from "../plans/PlanRow.ts"
import { PlanStore } from "../plans/PlanStore.ts"
import { DependenciesUnconfirmed, PlanExpired, StepNotFound } from "../plans/refusals.ts"
import { blockersOf, claimStatus, isLost } from "../plans/Step.ts"
import { stage } from "../telemetry/Stage.ts"
import type { Evidence } from "../values/Evidence.ts"
import { failpoint } from "../values/Failpoint.ts"
import { admit, admitObserved, recordRepeat } from "./Admission.ts"
import { Broadcast } from "./Broadcast.ts"
import { checkAgainstCall, parseRaw } from "./CheckTransaction.ts"
import type { Submission } from "./ClaimStore.ts"
import { NonceHolders, nonceReserved, planExpired } from "./NonceHolder.ts"
import { findOwnPlan } from "./OwnPlan.ts"
import { preflight, type Sighting, sight } from "./Preflight.ts"
import { refresh } from "./Reconcile.ts"
import { asItIs } from "./Resent.ts"
import { type NonceNotReady, StepStateUncertain } from "./refusals.ts"
import { checkBinding, nonceOf } from "./TransportBinding.ts"

export interface SubmissionBody {
  readonly rawSignedTransaction: string
  readonly ownerApproval?: unknown
}

export interface Submitted {
  readonly plan: Plan
  readonly dispatch: Dispatch
  /** Somebody may be sending it at this moment. */
  readonly isLeaving: boolean
  readonly replayed: boolean
}

const isLeaving = (plan: StoredPlan, step: number): boolean => {
  const { lease } = factsOf(plan, step)
  return lease !== undefined && claimStatus(lease, plan.now) === "in-flight"
}

const submittedOf = (stored: StoredPlan, step: number, replayed: boolean): Effect.Effect<Submitted> => {
  const plan = publicPlan(stored)
  const dispatch = plan.steps[step]?.dispatch
  return dispatch === undefined
    ? Effect.dieMessage("an admitted step has no dispatch")
    : Effect.succeed({ plan, dispatch, isLeaving: isLeaving(stored, step), replayed })
}

/** What is stored of an admitted step, unless its settling has just shown that. */
export const answerStep = Effect.fnUntraced(function* (
  actor: Actor,
  planId: string,
  step: number,
  replayed: boolean,
  settled: Option.Option<StoredPlan> = Option.none()
) {
  yield* failpoint("answer.begun")
  const plan = Option.isSome(settled) ? settled.value : yield* (yield* PlanStore).find(planId, actor)
  yield* failpoint("answer.read")
  return yield* submittedOf(plan, step, replayed)
})

/** A live claim, or one whose outcome is known and recent, is answered as it is. */
const isInHand = (plan: StoredPlan, step: number): boolean => {
  const { lease } = factsOf(plan, step)
  return lease !== undefined && lease.expiresAt > plan.now && claimStatus(lease, plan.now) !== "unknown"
}

/** Dependencies and an own receipt are looked at anew, because what was confirmed may have left the chain since. */
const currentPlan = Effect.fnUntraced(function* (plan: StoredPlan, { actor, call, step }: Submission) {
  if (call.dependsOn.length === 0 && factsOf(plan, step).receipt === undefined) return plan
  yield* refresh(plan.id)
  yield* failpoint("dispatch.refreshed")
  const current = yield* (yield* PlanStore).find(plan.id, actor)
  yield* failpoint("dispatch.planRead")
  return current
})

const refuseStale = Effect.fnUntraced(function* (plan: StoredPlan, { step, call }: Submission) {
  const { observed, binding } = factsOf(plan, step)
  if (observed === "confirmed" || observed === "reverted") return yield* new StepStateUncertain()
  if (binding === undefined && plan.expiresAt <= plan.now) return yield* new PlanExpired()
  const blockedBy = blockersOf(call, plan.terms.calls, plan.facts)
  if (blockedBy.length > 0) return yield* new DependenciesUnconfirmed({ context: { blockedBy } })
})

/** A request that is given up leaves no claim behind whose bytes are not being sent. */
const claimAndSend = (session: ChainSession, submission: Submission, approval: Approval, plan: StoredPlan) =>
  Effect.flatMap(admit(submission, approval, plan), lease =>
    Option.isNone(lease)
      ? Effect.succeedNone
      : Effect.flatMap(Broadcast, ({ send }) => send(session, submission.transaction, lease.value))
  ).pipe(Effect.uninterruptible)

const dispatch = Effect.fnUntraced(function* (
  submission: Submission,
  body: SubmissionBody,
  stored: StoredPlan,
  seen: { readonly session: ChainSession; readonly sighting: Sighting; readonly evidence: Evidence }
) {
  const { actor, planId, step, call, transaction } = submission
  yield* requirePresence(actor, body.ownerApproval)
  yield* failpoint("dispatch.consentPresent")
  const plan = yield* currentPlan(stored, submission)
  yield* refuseStale(plan, submission)
  yield* failpoint("dispatch.current")
  const isAdmitted = factsOf(plan, step).binding !== undefined
  yield* preflight(seen, { call, transaction, evidence: seen.evidence, isAdmitted })
  yield* failpoint("preflight.passed")
  const approval = yield* approve(actor, body.ownerApproval, {
    planId,
    commitment: plan.commitment,
    stepIndex: step,
    transactionHash: transaction.hash
  })
  yield* failpoint("approval.given")
  return yield* claimAndSend(seen.session, submission, approval, plan)
}, stage("SubmitStep.dispatch"))

const evidenceFor = (plan: StoredPlan, chainId: number) => {
  const evidence = plan.terms.evidence.find(item => item.chainId === chainId)
  return evidence === undefined
    ? Effect.dieMessage("a call's chain has no evidence")
    : Effect.succeed(evidence)
}

const monitor = (submission: Submission) =>
  Effect.as(Effect.zipRight(failpoint("relay.known"), admitObserved(submission)), Option.none())

/** The same call of before the plan was made is no execution of it, and anybody can read its bytes off the chain. */
const isMonitored = ({ known, isEarlier }: Sighting, plan: StoredPlan, step: number): boolean =>
  known && (!isEarlier || factsOf(plan, step).binding !== undefined)

/** A nonce that is gone may be gone to these very bytes, where somebody else sent them since the first look. */
const unlessSent = Effect.fnUntraced(function* (
  submission: Submission,
  plan: StoredPlan,
  evidence: Evidence,
  refused: NonceNotReady
) {
  const { sighting } = yield* sight(submission.transaction, evidence, { isFirst: false })
  return isMonitored(sighting, plan, submission.step) ? yield* monitor(submission) : yield* refused
})

const relay = Effect.fnUntraced(function* (submission: Submission, body: SubmissionBody, plan: StoredPlan) {
  const { call, transaction, step } = submission
  const evidence = yield* evidenceFor(plan, transaction.chainId)
  const isFirst = call.dependsOn.length === 0 && factsOf(plan, step).binding === undefined
  const seen = { ...(yield* sight(transaction, evidence, { isFirst })), evidence }
  yield* failpoint("relay.sighted")
  if (isMonitored(seen.sighting, plan, step)) return yield* monitor(submission)
  return yield* Effect.catchTag(dispatch(submission, body, plan, seen), "NONCE_NOT_READY", refused =>
    unlessSent(submission, plan, evidence, refused)
  )
})

const repeat = Effect.fnUntraced(function* (submission: Submission, plan: StoredPlan) {
  yield* failpoint("submit.inHand")
  yield* recordRepeat(submission)
  return isLeaving(plan, submission.step)
    ? Option.none()
    : Option.some(yield* asItIs(submission, isLost(factsOf(plan, submission.step))))
})

const EXPIRED = "The plan expired before this step was admitted."

/** Says who holds the nonce that the transaction was signed with. */
const namingHolder = ({ actor, transaction }: Submission, work: ReturnType<typeof relay>) => {
  const holder = Effect.flatMap(NonceHolders, ({ find }) => find(actor, nonceOf(transaction)))
  return Effect.catchTags(work, {
    NONCE_RESERVED: () => Effect.flatMap(holder, found => Effect.fail(nonceReserved(found))),
    PLAN_EXPIRED: () => Effect.flatMap(holder, found => Effect.fail(planExpired(EXPIRED, found)))
  })
}

const checked = Effect.fnUntraced(function* (plan: StoredPlan, step: number, transaction: SignedTransaction) {
  const call = plan.terms.calls[step]
  if (call === undefined) return yield* new StepNotFound()
  yield* checkAgainstCall(transaction, call, plan.terms.account)
  yield* checkBinding(factsOf(plan, step), transaction.hash)
  return call
})

/** Under a key of its own, so that a bundle's items are each remembered by themselves. */
export const submitTransaction = Effect.fnUntraced(function* (
  actor: Actor,
  key: RequestKey,
  { planId, step }: { readonly planId: string; readonly step: number },
  body: SubmissionBody,
  transaction: SignedTransaction
) {
  const { plan, outcome } = yield* findOwnPlan(actor, planId, key)
  yield* failpoint("submit.planFound")
  if (Option.isSome(outcome)) return yield* submittedOf(plan, outcome.value.step ?? step, true)
  const call = yield* checked(plan, step, transaction)
  yield* failpoint("submit.bytesChecked")
  const claimsSeen = factsOf(plan, step).lease?.count ?? 0
  const submission: Submission = { actor, key, planId, step, call, transaction, claimsSeen }
  const settled = yield* isInHand(plan, step)
    ? repeat(submission, plan)
    : namingHolder(submission, relay(submission, body, plan))
  return yield* answerStep(actor, planId, step, false, settled)
})

export const submitStep = Effect.fnUntraced(function* (planId: string, step: number, body: SubmissionBody) {
  const actor = yield* Principal
  const key = yield* requestKey
  const transaction = yield* parseRaw(body.rawSignedTransaction)
  yield* failpoint("submit.parsed")
  return yield* submitTransaction(actor, key, { planId, step }, body, transaction)
}, stage("SubmitStep.submit"))

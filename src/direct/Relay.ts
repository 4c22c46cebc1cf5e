/** Brings a transaction to its chain: what that knows already is only monitored, anything else preflighted, consented, claimed and sent. */
import { Effect, Option } from "effect"
import { approveDispatch, requirePresence } from "../auth/OwnerApproval.ts"
import { admitObserved } from "../dispatch/Admission.ts"
import { free } from "../dispatch/CurrentStep.ts"
import { leave } from "../dispatch/Leave.ts"
import { NonceHolders, nonceReserved, paidInVain, planExpired } from "../dispatch/NonceHolder.ts"
import { OutsidePayments } from "../dispatch/OutsidePayments.ts"
import type { SponsorshipConflict } from "../dispatch/refusals.ts"
import { factsOf, type StoredPlan } from "../plans/PlanRow.ts"
import { stage } from "../telemetry/Requests.ts"
import type { Evidence } from "../values/Evidence.ts"
import { failpoint } from "../values/Failpoint.ts"
import { faultOfBounds } from "./Bounds.ts"
import { direct } from "./Direct.ts"
import { type SeenHead, type Sighting, sight } from "./Preflight.ts"
import type { NonceNotReady } from "./refusals.ts"
import { evidenceFor, type Matched } from "./Submission.ts"

const monitor = (submission: Matched) =>
  Effect.as(Effect.zipRight(failpoint("relay.known"), admitObserved(submission)), Option.none())

/** The same call of before the plan was made is no execution of it, and anybody can read its bytes off the chain. */
const isMonitored = ({ known, isEarlier }: Sighting, plan: StoredPlan, step: number): boolean =>
  known && (!isEarlier || factsOf(plan, step).binding !== undefined)

const dispatch = Effect.fnUntraced(function* (
  submission: Matched,
  stored: StoredPlan,
  evidence: Evidence,
  seen: SeenHead
) {
  const { actor, planId, step, call, transaction, ownerApproval } = submission
  yield* requirePresence(actor, ownerApproval)
  yield* failpoint("dispatch.consentPresent")
  const plan = yield* free(stored, submission)
  const isAdmitted = factsOf(plan, step).binding !== undefined
  yield* direct.preflight(seen, { call, signed: transaction, evidence, isAdmitted })
  yield* failpoint("preflight.passed")
  if (!isAdmitted) yield* (yield* OutsidePayments).refusePaid(plan.terms)
  const consent = { planId, commitment: plan.commitment, stepIndex: step, transactionHash: transaction.hash }
  const approval = yield* approveDispatch(actor, ownerApproval, consent)
  yield* failpoint("approval.given")
  return yield* leave(submission, approval, plan, direct.send(seen.session, transaction))
}, stage("SubmitStep.dispatch"))

/** A nonce may be gone to these very bytes, or a payment be made by them, where somebody else sent them since the first look. */
const unlessSent = Effect.fnUntraced(function* (
  submission: Matched,
  plan: StoredPlan,
  evidence: Evidence,
  refused: NonceNotReady | SponsorshipConflict
) {
  const { sighting } = yield* sight(submission.transaction, evidence, { isFirst: false })
  return isMonitored(sighting, plan, submission.step) ? yield* monitor(submission) : yield* refused
})

const monitorOrDispatch = Effect.fnUntraced(function* (submission: Matched, plan: StoredPlan) {
  const { call, transaction, step } = submission
  const fault = yield* faultOfBounds(plan, step, transaction)
  if (fault !== undefined) return yield* fault
  const evidence = yield* evidenceFor(plan, transaction.chainId)
  const isFirst = call.dependsOn.length === 0 && factsOf(plan, step).binding === undefined
  const seen = yield* sight(transaction, evidence, { isFirst })
  yield* failpoint("relay.sighted")
  if (isMonitored(seen.sighting, plan, step)) return yield* monitor(submission)
  return yield* Effect.catchTag(
    dispatch(submission, plan, evidence, seen),
    "NONCE_NOT_READY",
    "SPONSORSHIP_CONFLICT",
    refused => unlessSent(submission, plan, evidence, refused)
  )
})

const EXPIRED = "The plan expired before this step was admitted."

/** The plan where the sending has settled within its time; a refusal says who holds the nonce that was signed. */
export const relay = (submission: Matched, plan: StoredPlan) => {
  const { actor, bound, step } = submission
  const isAdmitted = factsOf(plan, step).binding !== undefined
  const holder = Effect.flatMap(NonceHolders, ({ find }) => find(actor, bound.nonce))
  return Effect.catchTags(monitorOrDispatch(submission, plan), {
    NONCE_RESERVED: () => Effect.flatMap(holder, found => Effect.fail(nonceReserved(found))),
    PLAN_EXPIRED: () => Effect.flatMap(holder, found => Effect.fail(planExpired(plan, EXPIRED, found))),
    SPONSORSHIP_CONFLICT: refused => Effect.fail(isAdmitted ? paidInVain(bound.nonce) : refused)
  })
}

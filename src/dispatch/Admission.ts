/** Admissions of one account go one after the other, each with a single statement that binds for good or changes nothing. */
import { Effect } from "effect"
import { AccountActors } from "../accounts/AccountActors.ts"
import type { Approval } from "../auth/OwnerApproval.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import { stage } from "../telemetry/Requests.ts"
import { failpoint } from "../values/Failpoint.ts"
import { ClaimStore, type KeyedRequest, type Submission } from "./ClaimStore.ts"
import { claimJudged } from "./JudgedDependencies.ts"

const claim = Effect.fnUntraced(function* (submission: Submission, approval: Approval, judged: StoredPlan) {
  const claims = yield* ClaimStore
  yield* failpoint("claim.begun")
  const lease = yield* claimJudged(judged, submission.actor, plan =>
    claims.dispatch(submission, approval, plan)
  )
  yield* failpoint("claim.committed")
  return lease
})

/** Claims the right to broadcast; none when another claim has it or had it. */
export const admit = Effect.fnUntraced(function* (
  submission: Submission,
  approval: Approval,
  plan: StoredPlan
) {
  const actors = yield* AccountActors
  yield* failpoint("claim.queued")
  const lease = yield* actors.run(submission.actor.accountId, claim(submission, approval, plan))
  yield* failpoint("claim.told")
  return lease
}, stage("Admission.claim"))

const observe = Effect.fnUntraced(function* (submission: Submission) {
  yield* failpoint("observed.begun")
  yield* (yield* ClaimStore).observe(submission)
  yield* failpoint("observed.committed")
})

/** Binds a transaction that its chain already knows; nothing will be sent, so nothing needs approval. */
export const admitObserved = Effect.fnUntraced(function* (submission: Submission) {
  const actors = yield* AccountActors
  yield* actors.run(submission.actor.accountId, observe(submission))
}, stage("Admission.observe"))

const repeat = Effect.fnUntraced(function* (submission: Submission) {
  yield* failpoint("repeat.begun")
  yield* (yield* ClaimStore).repeat(submission)
  yield* failpoint("repeat.committed")
})

/** Remembers the outcome of a repeat under a new key, of a step that needs no new dispatch. */
export const recordRepeat = Effect.fnUntraced(function* (submission: Submission) {
  const actors = yield* AccountActors
  yield* actors.run(submission.actor.accountId, repeat(submission))
}, stage("Admission.repeat"))

/** Gives a bundle's key to its request before the first item is looked at. */
export const openBundle = Effect.fnUntraced(function* (bundle: KeyedRequest) {
  const actors = yield* AccountActors
  const claims = yield* ClaimStore
  yield* actors.run(bundle.actor.accountId, claims.openBundle(bundle))
}, stage("Admission.bundle"))

/** Relays a step's signed transaction: parsed, matched with its planned call, and sent once unless that is done or in hand. */
import { Effect, Option } from "effect"
import { Principal } from "../accounts/Principal.ts"
import { requestKey } from "../auth/Idempotency.ts"
import { answerStep, submittedOf } from "../dispatch/AnswerStep.ts"
import { isInHand } from "../dispatch/CurrentStep.ts"
import { findOwnPlan } from "../dispatch/OwnPlan.ts"
import { BroadcastPersistenceUncertain } from "../dispatch/refusals.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import { stage } from "../telemetry/Requests.ts"
import { failpoint } from "../values/Failpoint.ts"
import { direct } from "./Direct.ts"
import { relay } from "./Relay.ts"
import { repeat } from "./Resent.ts"
import { type AskedSubmission, matched } from "./Submission.ts"

export interface SubmissionBody {
  readonly rawSignedTransaction: string
  readonly ownerApproval?: unknown
}

/** Of a step that is admitted, whose bytes have perhaps left. */
const answerAdmitted = (
  { actor, planId, step, transaction: { hash } }: AskedSubmission,
  settled: Option.Option<StoredPlan>
) =>
  Effect.catchTag(
    answerStep(actor, planId, step, false, settled),
    "DATABASE_UNAVAILABLE",
    () => new BroadcastPersistenceUncertain({ context: { transactionHash: hash } })
  )

/** Under a key of its own, so that a bundle's items are each remembered by themselves. */
export const submitTransaction = Effect.fnUntraced(function* (asked: AskedSubmission) {
  const { actor, key, planId, step } = asked
  const { plan, outcome } = yield* findOwnPlan(actor, planId, key)
  yield* failpoint("submit.planFound")
  if (Option.isSome(outcome)) return yield* submittedOf(plan, outcome.value.step ?? step, true)
  const submission = yield* matched(asked, plan)
  yield* failpoint("submit.bytesChecked")
  const settled = yield* isInHand(plan, step) ? repeat(submission, plan) : relay(submission, plan)
  return yield* answerAdmitted(asked, settled)
})

export const submitStep = Effect.fnUntraced(function* (planId: string, step: number, body: SubmissionBody) {
  const actor = yield* Principal
  const key = yield* requestKey
  const transaction = yield* direct.parse(body.rawSignedTransaction)
  yield* failpoint("submit.parsed")
  return yield* submitTransaction({
    ...{ actor, key, planId, step, transaction },
    ownerApproval: body.ownerApproval
  })
}, stage("SubmitStep.submit"))

/** What can be said of bytes that are asked to be sent again while their claim lives: nothing leaves, so the chain is asked whether it has them. */
import { Effect, Option } from "effect"
import { ChainClient } from "../chain/ChainClient.ts"
import { transactionByHash } from "../chain/Reads.ts"
import { recordRepeat } from "../dispatch/Admission.ts"
import { isLeaving } from "../dispatch/AnswerStep.ts"
import { refresh } from "../dispatch/Reconcile.ts"
import { factsOf, type StoredPlan } from "../plans/PlanRow.ts"
import { PlanStore } from "../plans/PlanStore.ts"
import { isLost } from "../plans/Step.ts"
import { failpoint } from "../values/Failpoint.ts"
import type { SignedTransaction } from "./SignedTransaction.ts"
import type { Matched } from "./Submission.ts"

/** Not that anybody knows of, where the node cannot be asked. */
const isKnown = ({ chainId, hash }: SignedTransaction) =>
  Effect.flatMap(ChainClient, client => client.begin(chainId, [transactionByHash(hash)])).pipe(
    Effect.map(({ answers: [known] }) => known !== null),
    Effect.orElseSucceed(() => false)
  )

const withoutTrace = (plan: StoredPlan, step: number): StoredPlan => ({
  ...plan,
  facts: plan.facts.map((facts, index) => (index === step ? { ...facts, observed: "unknown" } : facts))
})

/** The plan as it is to be told: a step that no node holds and no receipt shows is not told as submitted. */
const asItIs = Effect.fnUntraced(function* ({ actor, planId, step, transaction }: Matched, wasLost: boolean) {
  const known = yield* isKnown(transaction)
  if (wasLost || !known) yield* Effect.ignore(refresh(planId))
  const plan = yield* (yield* PlanStore).find(planId, actor)
  return known || factsOf(plan, step).receipt !== undefined ? plan : withoutTrace(plan, step)
})

/** Gives one more key the outcome of a step that is in hand; none while somebody may be sending it. */
export const repeat = Effect.fnUntraced(function* (submission: Matched, plan: StoredPlan) {
  const { step } = submission
  yield* failpoint("submit.inHand")
  yield* recordRepeat(submission)
  return isLeaving(plan, step)
    ? Option.none()
    : Option.some(yield* asItIs(submission, isLost(factsOf(plan, step))))
})

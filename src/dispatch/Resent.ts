/** What can be said of bytes that are asked to be sent again while their claim lives: nothing leaves, so the chain is asked whether it has them. */
import { Effect } from "effect"
import { ChainClient } from "../chain/ChainClient.ts"
import { transactionByHash } from "../chain/Reads.ts"
import type { SignedTransaction } from "../chain/SignedTransaction.ts"
import { factsOf, type StoredPlan } from "../plans/PlanRow.ts"
import { PlanStore } from "../plans/PlanStore.ts"
import type { Submission } from "./ClaimStore.ts"
import { refresh } from "./Reconcile.ts"

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
export const asItIs = Effect.fnUntraced(function* (
  { actor, planId, step, transaction }: Submission,
  wasLost: boolean
) {
  const known = yield* isKnown(transaction)
  if (wasLost || !known) yield* Effect.ignore(refresh(planId))
  const plan = yield* (yield* PlanStore).find(planId, actor)
  return known || factsOf(plan, step).receipt !== undefined ? plan : withoutTrace(plan, step)
})

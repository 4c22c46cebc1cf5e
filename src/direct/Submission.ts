/** A transaction that somebody asks to be relayed for a step, before and after it is known to be the planned call. */
import { Effect } from "effect"
import { checkBinding } from "../dispatch/BoundStep.ts"
import type { KeyedRequest, Submission } from "../dispatch/ClaimStore.ts"
import { factsOf, type StoredPlan } from "../plans/PlanRow.ts"
import { StepNotFound } from "../plans/refusals.ts"
import type { Address } from "../values/Scalars.ts"
import { direct } from "./Direct.ts"
import { SignedPlanMismatch } from "./refusals.ts"
import type { SignedTransaction } from "./SignedTransaction.ts"

export interface AskedSubmission extends KeyedRequest {
  readonly step: number
  readonly transaction: SignedTransaction
  readonly ownerApproval: unknown
}

export interface Matched extends AskedSubmission, Submission {}

/** No transaction can be signed by it. */
const unsendable = (wallet: Address) =>
  new SignedPlanMismatch({
    detail: `The plan is for the smart account ${wallet}, which signs no transactions: prepare a user operation of its steps (POST /api/v1/user-operations), and let the wallet's owners sign that.`,
    context: { members: ["sender"], wallet }
  })

/** The step's call, of which the transaction is an exact one. */
export const matchedCall = Effect.fnUntraced(function* (
  { terms }: StoredPlan,
  step: number,
  transaction: SignedTransaction
) {
  const call = terms.calls[step]
  if (call === undefined) return yield* new StepNotFound()
  if (terms.smartAccount !== undefined) return yield* unsendable(terms.smartAccount.address)
  yield* direct.match(transaction, call, terms.account)
  return call
})

export const evidenceFor = (plan: StoredPlan, chainId: number) => {
  const evidence = plan.terms.evidence.find(item => item.chainId === chainId)
  return evidence === undefined
    ? Effect.dieMessage("a call's chain has no evidence")
    : Effect.succeed(evidence)
}

export const matched = Effect.fnUntraced(function* (asked: AskedSubmission, plan: StoredPlan) {
  const { step, transaction } = asked
  const call = yield* matchedCall(plan, step, transaction)
  const bound = direct.claim(transaction)
  const facts = factsOf(plan, step)
  yield* checkBinding(facts, bound)
  const submission: Matched = { ...asked, call, bound, claimsSeen: facts.lease?.count ?? 0 }
  return submission
})

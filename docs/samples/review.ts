/** From exact calls to a confirmed plan: prepare, have a person review, submit what the wallet signed, watch. */
import {
  type Client,
  NetworkFailure,
  type PlansQuery,
  ServiceProblem,
  UnexpectedAnswer
} from "../../src/client/main.ts"

export type PreparedPlan = Awaited<ReturnType<Client["plans"]["create"]>>["plan"]
export type CallsToPlan = Parameters<Client["plans"]["create"]>[0]

/** The same key with the same calls gives the same plan again, so a click that is repeated plans nothing twice. */
export const preparePlan = async (
  client: Client,
  calls: CallsToPlan,
  idempotencyKey: string
): Promise<PreparedPlan> => (await client.plans.create(calls, { idempotencyKey })).plan

/** Nothing may be signed where this throws: what is shown is not what was committed to. */
export const reviewRows = async (client: Client, plan: PreparedPlan): Promise<ReadonlyArray<string>> => {
  if (!(await client.plans.checkCommitment(plan))) throw new Error("the plan differs from its commitment")
  return plan.calls.map(
    ({ chainId, to, value, label }, index) =>
      `${index + 1}. ${label}: ${value} wei to ${to} on chain ${chainId}`
  )
}

/** An answer acknowledges processing; only the watched plan says that a transaction is confirmed. */
export const submitAndWatch = async (
  client: Client,
  planId: string,
  step: number,
  rawSignedTransaction: string
): Promise<PreparedPlan> => {
  await client.plans.submit(planId, step, { rawSignedTransaction })
  return client.plans.watch(planId)
}

/** Plans that are still under way, for a page that was left and opened again. */
export const openPlans = async (
  client: Client,
  query: PlansQuery = {}
): Promise<ReadonlyArray<PreparedPlan>> =>
  (await client.plans.list(query)).items.filter(({ status }) => status === "pending" || status === "partial")

/** Whether the same bytes should be submitted again: whether the first attempt arrived is not known, or the refusal passes. */
export const mayRepeat = (failure: unknown): boolean =>
  failure instanceof NetworkFailure ||
  failure instanceof UnexpectedAnswer ||
  (failure instanceof ServiceProblem && failure.problem.retryable)

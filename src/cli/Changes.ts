/** What the steps of a plan that could be sent now would change in the wallet's balances. */
import { ServiceProblem } from "../client/Errors.ts"
import type { Plan } from "../plans/Plan.ts"
import { balanceRows } from "../review/BalanceRows.ts"
import type { PlanReview } from "../review/PlanReview.ts"
import { revertRows } from "../review/RevertRows.ts"
import { exact, type ReviewRow, row, words } from "../review/Words.ts"
import type { Connection } from "./Connection.ts"

/** A simulation that is refused changes nothing about what the plan says. */
const foreseen = async (
  { client }: Connection,
  plan: Plan,
  index: number,
  { tokens }: PlanReview
): Promise<ReadonlyArray<ReviewRow>> => {
  try {
    return balanceRows(await client.plans.simulate(plan.id, index), plan, tokens)
  } catch (failure) {
    if (!(failure instanceof ServiceProblem)) throw failure
    const reverts = revertRows(failure.problem)
    return reverts.length > 0
      ? reverts
      : [row("your balances", words("are not foreseen: "), exact(failure.code))]
  }
}

export const changesIn = async (
  connection: Connection,
  plan: Plan,
  review: PlanReview
): Promise<ReadonlyArray<ReviewRow>> => {
  const hasExpired = plan.expiresAt <= connection.client.clock.seconds() * 1000
  if (review.dangers.length > 0 || hasExpired) return []
  const rows: Array<ReviewRow> = []
  for (const { index } of plan.steps.filter(({ state }) => state === "ready")) {
    const step = plan.calls.length === 1 ? "" : `step ${index}: `
    const found = await foreseen(connection, plan, index, review)
    rows.push(...found.map(each => ({ ...each, name: `${step}${each.name}` })))
  }
  return rows
}

/** The status of a whole plan: the first of these that fits. */
import type { PlanStatus, Step } from "./Plan.ts"
import { isSatisfied, type StepFacts } from "./Step.ts"

export const planStatus = (
  steps: ReadonlyArray<Step>,
  facts: ReadonlyArray<StepFacts>,
  expiresAt: number,
  now: number
): PlanStatus => {
  if (facts.every(isSatisfied)) return "transactions_confirmed"
  if (steps.some(step => step.state === "reverted" || step.semantic?.status === "failed")) return "blocked"
  if (steps.some(step => step.state === "reorged")) return "reorged"
  if (facts.some(isSatisfied)) return "partial"
  if (facts.some(step => step.binding !== undefined)) return "pending"
  return expiresAt <= now ? "expired" : "prepared"
}

/** Where a step stands, and what may still be done about it. */
import { isFinalBlock } from "../plans/FinalBlock.ts"
import type { Plan, Step } from "../plans/Plan.ts"

const SATISFYING = ["verified", "unmodeled"]
/** The very bytes may have to be sent again. */
const AGAIN = ["reserved", "unknown", "reorged"]
/** From here on nothing of it is sent again. */
const SETTLED = ["confirmed", "reverted"]

/** Another has its nonce for good. */
export const isReplaced = ({ state, semantic }: Step): boolean =>
  state !== "confirmed" && semantic?.reason?.endsWith("_NONCE_CONSUMED") === true

export const mustGoAgain = (step: Step): boolean => AGAIN.includes(step.state) && !isReplaced(step)

export const isOnChain = (step: Step | undefined): boolean => SETTLED.includes(step?.state ?? "")

export const isDone = (plan: Plan, step: number): boolean => {
  const { state, semantic } = plan.steps[step] ?? {}
  return state === "confirmed" && semantic !== undefined && SATISFYING.includes(semantic.status)
}

export const hasFailed = (plan: Plan, step: number): boolean => {
  const { state, semantic } = plan.steps[step] ?? {}
  return state === "reverted" || semantic?.status === "failed"
}

/** Effects that are unknown of a final receipt are not looked at again. */
export const staysUnknown = (step: Step): boolean =>
  isReplaced(step) ||
  (step.state === "confirmed" &&
    step.semantic?.status === "unknown" &&
    step.receipt !== undefined &&
    isFinalBlock(step.receipt))

/** It left for others to execute, and no block can any more. */
export const hasLapsed = ({ externalExecution }: Step): boolean => externalExecution?.state === "lapsed"

/** Nothing more becomes of it by itself. */
export const isDecided = (plan: Plan, step: Step): boolean =>
  isDone(plan, step.index) || hasFailed(plan, step.index) || staysUnknown(step) || hasLapsed(step)

/** It was submitted, and is not decided yet. */
export const isUndecided = (plan: Plan, step: Step): boolean =>
  (step.transaction ?? step.execution) !== undefined && !isDecided(plan, step)

/** In the order of the calls, in which each comes after those that it depends on. */
export const nextStep = (plan: Plan): Step | undefined =>
  plan.status === "blocked" ? undefined : plan.steps.find(({ index }) => !isDone(plan, index))

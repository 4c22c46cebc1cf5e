/** Why the page gives a step no transaction. */
import { mustGoAgain } from "../client/StepStanding.ts"
import type { Step } from "../plans/Plan.ts"
import { isUntold, RESTORED } from "../review/Restored.ts"
import type { PlanDesk, Reviewed } from "./PlanDesk.ts"

/** Its own bytes, and no others, may be sent again. */
export const mayGoAgain = (step: Step): boolean =>
  step.transaction !== undefined && step.state !== "reserved" && mustGoAgain(step)

const EXPIRED = "The plan has expired: prepare a new one."

/** What was sent in time may still be followed. */
export const mayBePasted = (reason: string): boolean => reason === EXPIRED || reason === RESTORED

/** Why no transaction can be given to the step; undefined where one can. */
export const obstacle = (desk: PlanDesk, { plan, review }: Reviewed, step: Step): string | undefined => {
  if (review.dangers.length > 0) return "Nothing of this plan can be signed here."
  if (step.state === "confirmed") return "The step is confirmed: nothing is left to be done."
  if (step.state === "reverted") return "The step reverted: another plan may try again."
  if (step.transaction !== undefined && !mayGoAgain(step))
    return "The step has its transaction, and takes no other."
  if (step.transaction === undefined && step.execution !== undefined)
    return "The step has left by another way, told below: it takes no transaction."
  if (isUntold(plan, step)) return RESTORED
  if (!mayGoAgain(step) && plan.expiresAt <= desk.nowMillis()) return EXPIRED
  if (step.blockedBy.length > 0)
    return `Blocked until step ${step.blockedBy.join(" and ")} is confirmed: look again later.`
  if (plan.smartAccount !== undefined) return "The wallet's owners sign it as an operation: see below."
  return plan.account.toLowerCase() === desk.desk.wallet.toLowerCase()
    ? undefined
    : "The planned wallet is not the connected one."
}

/** Plans from before the service was restored from a backup. */
import type { Plan, Step } from "../plans/Plan.ts"

/** Nothing is known of the step, and something may have been lost. */
export const isUntold = (
  { restoredAt }: Pick<Plan, "restoredAt">,
  { transaction, execution }: Step
): boolean => restoredAt !== undefined && transaction === undefined && execution === undefined

export const RESTORED =
  "It may have left before the service was restored from a backup: look at the wallet's own transactions first."

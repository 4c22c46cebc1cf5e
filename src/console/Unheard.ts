/** Whether the service may have what was handed in although it was not heard to say so. */
import { ServiceProblem } from "../client/Errors.ts"
import { isUnknownOutcome } from "../client/Retry.ts"

export const isUnheard = (failure: unknown): boolean =>
  isUnknownOutcome(failure) || (failure instanceof ServiceProblem && failure.cause !== undefined)

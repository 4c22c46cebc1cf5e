/** Whether the service may have what was handed in although it was not heard to say so. */
import { NetworkFailure, ServiceProblem, UnexpectedAnswer } from "../client/Errors.ts"

export const isUnheard = (failure: unknown): boolean =>
  failure instanceof NetworkFailure ||
  failure instanceof UnexpectedAnswer ||
  (failure instanceof ServiceProblem && (failure.problem.status >= 500 || failure.cause !== undefined))

/** Which failures are worth another attempt, and when. */
import { isRefusedBy, NetworkFailure, ServiceProblem, UnexpectedAnswer } from "./Errors.ts"
import type { System } from "./System.ts"

const FIRST_MILLIS = 250
const LONGEST_MILLIS = 8_000
const LONGEST_RETRY_AFTER_SECONDS = 60

/** Not answered, or the answer to what something in between delivered again: a nonce is of one attempt. */
const isUnheard = (failure: unknown): boolean =>
  failure instanceof NetworkFailure || isRefusedBy(failure, "NONCE_REUSED")

/** A gateway's page says so by 502 to 504. */
const isPassing = (failure: unknown): boolean =>
  isUnheard(failure) ||
  (failure instanceof ServiceProblem && failure.problem.retryable) ||
  (failure instanceof UnexpectedAnswer && failure.status > 501 && failure.status < 505)

/** Whether the service may have acted although the request failed. */
export const isUnknownOutcome = (failure: unknown): failure is Error =>
  isUnheard(failure) ||
  failure instanceof UnexpectedAnswer ||
  (failure instanceof ServiceProblem && failure.problem.status >= 500)

/** Surely nothing was done. */
export const isSureRefusal = (failure: unknown): failure is ServiceProblem =>
  !isUnknownOutcome(failure) && failure instanceof ServiceProblem && failure.cause === undefined

/** Nor would be if it was asked again. */
export const isLastingRefusal = (failure: unknown): failure is ServiceProblem =>
  isSureRefusal(failure) && !failure.problem.retryable

/** Between half and all of a doubling delay, so that clients that failed together do not return together. */
const backOff = (attempt: number, system: System): number => {
  const full = Math.min(FIRST_MILLIS * 2 ** attempt, LONGEST_MILLIS)
  const [chance = 0] = system.randomBytes(1)
  return (full * (256 + chance)) / 512
}

/** Milliseconds until the next attempt, or undefined when the failure is final. */
export const retryDelay = (failure: unknown, attempt: number, system: System): number | undefined => {
  if (!isPassing(failure)) return undefined
  const asked = failure instanceof ServiceProblem ? failure.retryAfterSeconds : undefined
  if (asked === undefined) return backOff(attempt, system)
  return asked > LONGEST_RETRY_AFTER_SECONDS ? undefined : Math.max(asked * 1000, backOff(attempt, system))
}

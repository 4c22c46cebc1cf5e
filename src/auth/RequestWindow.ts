/** The signed time window: its shape at once, its place in time only roughly; the database's clock gives the verdict. */
import { Either } from "effect"
import { AuthExpired } from "../accounts/refusals.ts"
import { REQUEST_WINDOW } from "../values/TypedData.ts"

const GRACE_SECONDS = 60

export interface Window {
  readonly issuedAt: number
  readonly expiresAt: number
}

const fault = ({ issuedAt, expiresAt }: Window, estimateSeconds: number): string | undefined => {
  if (expiresAt <= issuedAt) return "the window must end after it begins"
  if (expiresAt - issuedAt > REQUEST_WINDOW.maximumSeconds)
    return `the window is longer than ${REQUEST_WINDOW.maximumSeconds} seconds`
  if (expiresAt + GRACE_SECONDS <= estimateSeconds) return "the window is over"
  if (issuedAt > estimateSeconds + REQUEST_WINDOW.futureAllowanceSeconds + GRACE_SECONDS)
    return "the window begins too far ahead"
  return undefined
}

export const checkWindow = (window: Window, estimateMillis: number): Either.Either<void, AuthExpired> => {
  const detail = fault(window, Math.floor(estimateMillis / 1000))
  return detail === undefined ? Either.void : Either.left(new AuthExpired({ detail }))
}

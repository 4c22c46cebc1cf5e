/** What state a session is in, in words. */
import { type EnabledFacts, isNothingEnabled, isUnseen } from "../../sessions/NothingEnabled.ts"
import type { InvalidationReason, PublicSession, SessionStatus } from "../../sessions/Session.ts"

const NAMES: Readonly<Record<SessionStatus, string>> = {
  prepared: "to be enabled",
  installing: "being enabled",
  active: "active",
  stale: "kept from use",
  revoking: "being revoked",
  expired: "over",
  revoked: "revoked"
}

export const sessionStanding = (state: SessionStatus): string => NAMES[state]

/** As the stylesheet colours what is good, what waits and what is bad. */
const TONES: Readonly<Record<SessionStatus, string>> = {
  prepared: "",
  installing: "",
  active: "confirmed",
  stale: "unknown",
  revoking: "unknown",
  expired: "unknown",
  revoked: "reverted"
}

export const sessionTone = (state: SessionStatus): string => TONES[state]

const REASONS: Readonly<Record<InvalidationReason, string>> = {
  "configuration-changed": "the guard tells of the wallet what this session did not bring about",
  "counter-reset": "one of its counters was lower than before",
  reorg: "what was seen of it is no longer part of its chain, until what is seen then is final",
  "grant-inactive": "its bot's grant ended or was revoked",
  "binding-unlinked": "its wallet is no longer bound to the account",
  "wallet-changed": "its wallet is in another state than it was bound in"
}

const MEANS: Readonly<Record<SessionStatus, string>> = {
  prepared:
    "It gives no authority yet: the wallet's owners enable it, by an operation that enough of them sign.",
  installing: "The plan that enables it is admitted; its key may act once the owners' operation is executed.",
  active: "Its key acts for the wallet within what is said below, without the owners.",
  stale: "Nothing is sent under it here.",
  revoking:
    "Nothing more is sent under it here; its guard lets its key act until the owners' operation is executed.",
  expired:
    "Its time is over, and the guard refuses its key. The wallet may have another session once this one is revoked.",
  revoked: "Its guard has it no more, for good."
}

const RELEASED = "The wallet may have another session."
const UNRELEASED = "The wallet may have another session once that is final."

const NEVER_ENABLED = "Its guard did not have it enabled when it was last seen: there is nothing to revoke."
const GIVEN_UP =
  "Nothing is sent under it here. Its guard did not have it when it was last seen, so the owners have nothing to revoke: it is given up once the plan that would enable it is over, unless they enable it before."
const OVER_UNUSED = "It is over, and nothing enabled it."
const LIVING = "Its guard may still let its key act."

const permanently = (isNothing: boolean): string =>
  isNothing ? `for good. ${NEVER_ENABLED}` : "for good: revoke it, since its guard may still let its key act."

type Told = Pick<PublicSession, "state" | "invalidation" | "reservationReleased"> & EnabledFacts

/** What the state means, and what brought it about. */
export const sessionMeaning = (session: Told): string => {
  const { state, invalidation, reservationReleased } = session
  const isNothing = isNothingEnabled(session)
  if (state === "revoked") return `${MEANS.revoked} ${reservationReleased ? RELEASED : UNRELEASED}`
  if (state === "revoking" && isUnseen(session)) return GIVEN_UP
  if (state === "expired" && isNothing) return `${OVER_UNUSED} ${NEVER_ENABLED}`
  if (state !== "stale" || invalidation === undefined) return MEANS[state]
  const { reason, permanent } = invalidation
  const lasting = permanent
    ? permanently(isNothing)
    : `as long as that is so. ${isNothing ? NEVER_ENABLED : LIVING}`
  return `${MEANS.stale} The reason is that ${REASONS[reason]}, ${lasting}`
}

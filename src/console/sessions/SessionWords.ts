/** What state a session is in, in words. */
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

/** What the state means, and what brought it about. */
export const sessionMeaning = ({
  state,
  invalidation,
  reservationReleased
}: Pick<PublicSession, "state" | "invalidation" | "reservationReleased">): string => {
  if (state === "revoked") return `${MEANS.revoked} ${reservationReleased ? RELEASED : UNRELEASED}`
  if (state !== "stale" || invalidation === undefined) return MEANS[state]
  const { reason, permanent } = invalidation
  const lasting = permanent
    ? "for good: revoke it, since its guard may still let its key act."
    : "as long as that is so. Its guard may still let its key act."
  return `${MEANS.stale} The reason is that ${REASONS[reason]}, ${lasting}`
}

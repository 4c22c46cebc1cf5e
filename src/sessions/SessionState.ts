/** The state of a session: pure, from what is stored and the database's time. */
import type { SessionInvalidation, SessionStatus } from "./Session.ts"
import type { StoredSession } from "./SessionRow.ts"

export type SessionFacts = Pick<
  StoredSession,
  | "compiled"
  | "validUntil"
  | "observation"
  | "activation"
  | "revocation"
  | "invalidation"
  | "grantEndedAt"
  | "unlinkedAt"
  | "releasedAt"
  | "now"
>

/** What the chain took back or contradicts comes before what is known here. */
export const invalidationOf = ({
  invalidation,
  grantEndedAt,
  unlinkedAt
}: Pick<SessionFacts, "invalidation" | "grantEndedAt" | "unlinkedAt">): SessionInvalidation | undefined => {
  if (invalidation !== undefined && invalidation.reason !== "wallet-changed") return invalidation
  if (grantEndedAt !== undefined)
    return { reason: "grant-inactive", permanent: false, observedAt: grantEndedAt }
  if (unlinkedAt !== undefined)
    return { reason: "binding-unlinked", permanent: false, observedAt: unlinkedAt }
  return invalidation
}

/** Its guard has it no more, and cannot have it again. */
const isRevoked = ({ observation, compiled }: Pick<SessionFacts, "observation" | "compiled">): boolean =>
  observation?.status === "revoked" && BigInt(observation.shown.enableNonce) > BigInt(compiled.enableNonce)

/** By its chain's clock as it was seen last, or by ours. */
const isOver = ({ validUntil, observation, now }: SessionFacts): boolean =>
  Number(observation?.shown.evidence.timestamp ?? 0) >= validUntil || now >= validUntil * 1000

/** To be revoked before anything enabled it, and nothing admitted can enable it any more: there is nothing to revoke. */
const isGivenUp = ({ revocation, releasedAt, observation }: SessionFacts): boolean =>
  revocation !== undefined && releasedAt !== undefined && observation?.status === "none"

/** One that ran out is admitted no more once its wallet was given free. */
const isActivationAdmitted = ({ activation, releasedAt }: SessionFacts): boolean =>
  activation !== undefined && releasedAt === undefined

/** The first that fits. */
export const sessionState = (facts: SessionFacts): SessionStatus => {
  if (isRevoked(facts)) return "revoked"
  const givenUp = isGivenUp(facts)
  if (facts.revocation !== undefined && !givenUp) return "revoking"
  if (invalidationOf(facts) !== undefined) return "stale"
  if (givenUp || isOver(facts)) return "expired"
  if (facts.observation?.status === "enabled") return "active"
  return isActivationAdmitted(facts) ? "installing" : "prepared"
}

/** The public record of a session, which follows from what is stored. */
import { word } from "../values/AbiWords.ts"
import type { PublicSession, SessionQuota } from "./Session.ts"
import type { StoredSession } from "./SessionRow.ts"
import { invalidationOf, sessionState } from "./SessionState.ts"

/** `revoke(bytes32 permissionId)`. */
const REVOKE = "0xb75c7dc6"

const revokeTransaction = ({
  chainId,
  wallet,
  compiled
}: StoredSession): PublicSession["revokeTransaction"] => ({
  chainId,
  wallet,
  to: compiled.guard,
  value: "0",
  data: `${REVOKE}${word(compiled.permissionId)}`,
  operation: 0
})

export const shownSession = (stored: StoredSession): PublicSession => {
  const { id, asked, wallet, chainId, sessionKey, validUntil, allocationManifestHash, compiled } = stored
  const { createdAt, updatedAt, revision, activation, revocation, superseded, observation } = stored
  const invalidation = invalidationOf(stored)
  return {
    id,
    ...asked,
    ...{ wallet, chainId, sessionKey, validUntil, allocationManifestHash, compiled },
    state: sessionState(stored),
    ...{ createdAt, updatedAt, revision },
    ...(activation === undefined ? {} : { activation }),
    ...(revocation === undefined ? {} : { revocation }),
    superseded,
    ...(observation === undefined ? {} : { observation: observation.shown }),
    ...(invalidation === undefined ? {} : { invalidation }),
    reservationReleased: stored.releasedAt !== undefined,
    revokeTransaction: revokeTransaction(stored)
  }
}

/** Counters are those of a look that was had since then, in the database's milliseconds. */
export const shownQuota = (stored: StoredSession, since: number): SessionQuota => {
  const { observation } = stored
  const isBelieved =
    observation !== undefined && observation.status !== "none" && observation.shown.observedAt >= since
  return {
    sessionId: stored.id,
    state: sessionState(stored),
    counters: isBelieved ? observation.shown.counters : null,
    observation: observation?.shown ?? null,
    approvedGroups: stored.asked.allocations,
    reservationReleased: stored.releasedAt !== undefined,
    executionAuthority: false,
    balanceSource: "onchain-only",
    atomicAcrossChains: false
  }
}

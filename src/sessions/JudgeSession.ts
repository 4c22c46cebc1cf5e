/** What a look at a session's guard means for it: pure, from what is stored and what was seen. */
import type { Block } from "../chain/ChainClient.ts"
import type { Evidence } from "../values/Evidence.ts"
import { ZERO_HASH } from "./Compile.ts"
import type { ToldByGuard } from "./GuardReads.ts"
import { PERMISSION_STATUS } from "./GuardState.ts"
import type { InvalidationReason, SessionCounter, SessionInvalidation } from "./Session.ts"
import { isCountedLess, isWithinLimits, sessionCounters } from "./SessionCounters.ts"
import type { SeenSession, StoredSession } from "./SessionRow.ts"

/** Whether the block that was looked at last, or else the one that the session was compiled at, is its chain's still. */
export type EarlierBlock = "standing" | "gone"

export interface SessionLook {
  /** Undefined where the guard cannot be believed. */
  readonly told: ToldByGuard | undefined
  /** Whether the wallet is in the state that its owners signed for. */
  readonly isWalletBound: boolean
  readonly evidence: Evidence
  readonly final: Pick<Block, "number"> | null
  readonly earlier: EarlierBlock
  /** By the database's clock, no later than the block was asked for. */
  readonly at: number
}

export interface JudgedSession {
  readonly observation: SeenSession | undefined
  /** Exactly this generation lives, and nothing seen keeps it from being used. */
  readonly live: boolean
  readonly invalidation: SessionInvalidation | undefined
  /** It is revoked in a final block. */
  readonly retired: boolean
}

const statusOf = (status: number): SeenSession["status"] => {
  if (status === PERMISSION_STATUS.none) return "none"
  return status === PERMISSION_STATUS.enabled ? "enabled" : "revoked"
}

/** Those that the policy counts in, by the order of the request. */
export const enforcedIds = ({
  asked: { allocations },
  chainId
}: Pick<StoredSession, "asked" | "chainId">): ReadonlyArray<string> =>
  allocations
    .flatMap(group => group.allocations)
    .filter(each => each.chainId === chainId)
    .map(({ id }) => id)

const countersOf = (stored: StoredSession, { state }: ToldByGuard): ReadonlyArray<SessionCounter> =>
  state.status === PERMISSION_STATUS.none
    ? []
    : sessionCounters(stored.compiled.policy, enforcedIds(stored), state)

const isFinal = (number: string, { final }: Pick<SessionLook, "final">): boolean =>
  final !== null && BigInt(number) <= final.number

/** A final revocation stands whatever becomes of the blocks behind it. */
const wasRetired = ({ releasedAt, observation }: StoredSession): boolean =>
  releasedAt !== undefined && observation?.status === "revoked"

/** From which block on the guard was seen to say the same. */
const sinceOf = (
  stored: StoredSession,
  look: SessionLook,
  now: Omit<SeenSession, "since">
): SeenSession["since"] => {
  const { observation: before } = stored
  const isSame =
    before !== undefined &&
    (look.earlier === "standing" || wasRetired(stored)) &&
    before.status === now.status &&
    (now.status === "revoked" || before.shown.history === now.shown.history)
  return isSame ? before.since : { number: look.evidence.blockNumber, hash: look.evidence.blockHash }
}

const seenBy = (stored: StoredSession, look: SessionLook, told: ToldByGuard): SeenSession => {
  const { state, administration } = told
  const { evidence, final, at } = look
  const now = {
    status: statusOf(state.status),
    compiledHash: state.compiledHash,
    live: administration.live === ZERO_HASH ? null : administration.live,
    shown: {
      enabled: state.status === PERMISSION_STATUS.enabled,
      enableNonce: String(administration.enableNonce),
      epoch: String(administration.epoch),
      history: administration.history,
      counters: countersOf(stored, told),
      evidence,
      observedAt: at,
      finality: {
        status: isFinal(evidence.blockNumber, look) ? ("final" as const) : ("latest" as const),
        finalBlock: final === null ? null : String(final.number)
      }
    }
  }
  return { ...now, since: sinceOf(stored, look, now) }
}

/** What the guard says follows from this session alone. */
const isExpected = ({ compiled }: StoredSession, { status, compiledHash, live, shown }: SeenSession) => {
  if (status === "none") return shown.history === compiled.baseline.history
  if (compiledHash !== compiled.compiledHash || !isWithinLimits(shown.counters)) return false
  return status === "enabled"
    ? live === compiled.permissionId && shown.history === compiled.expectedHistory
    : BigInt(shown.enableNonce) > BigInt(compiled.enableNonce)
}

/** What holds for good, for it followed upon what was seen before. */
const contradiction = (
  stored: StoredSession,
  look: SessionLook,
  seen: SeenSession
): InvalidationReason | undefined => {
  const before = look.earlier === "standing" ? stored.observation : undefined
  if (before === undefined) return undefined
  if (before.status !== "none" && seen.status === "none") return "configuration-changed"
  return isExpected(stored, seen) && isCountedLess(before.shown.counters, seen.shown.counters)
    ? "counter-reset"
    : undefined
}

/** Nodes of two forks may have told of both, until the earlier block is final. */
const isContested = (stored: StoredSession, look: SessionLook, seen: SeenSession): boolean =>
  stored.observation !== undefined &&
  !isFinal(stored.observation.shown.evidence.blockNumber, look) &&
  contradiction(stored, look, seen) !== undefined

/** In a block before the one that the session was compiled at, or on another history of the chain, nothing unexpected tells of the session. */
const isDoubtful = ({ evidence }: StoredSession, look: SessionLook): boolean =>
  look.earlier === "gone" || BigInt(look.evidence.blockNumber) < BigInt(evidence.blockNumber)

/** What was seen or compiled upon is so no more, until what is seen since then is final. */
const isReorganised = (stored: StoredSession, look: SessionLook, seen: SeenSession): boolean => {
  const { observation, invalidation } = stored
  if (wasRetired(stored) && seen.status === "revoked") return false
  if (look.earlier === "gone" && observation !== undefined && observation.status !== "none") return true
  if (isDoubtful(stored, look) && !isExpected(stored, seen)) return true
  return invalidation?.reason === "reorg" && !isFinal(seen.since.number, look)
}

const noted = (
  { invalidation: before }: StoredSession,
  { at }: SessionLook,
  reason: InvalidationReason,
  permanent: boolean
): SessionInvalidation => (before?.reason === reason ? before : { reason, permanent, observedAt: at })

/** Of a guard that cannot be believed, nothing that it said before is taken back. */
const doubted = (
  stored: StoredSession,
  look: SessionLook,
  reason: "reorg" | "wallet-changed"
): JudgedSession => ({
  observation: stored.observation,
  live: false,
  invalidation:
    stored.invalidation?.permanent === true || stored.invalidation?.reason === "reorg"
      ? stored.invalidation
      : noted(stored, look, reason, false),
  retired: wasRetired(stored)
})

const invalidated = (
  stored: StoredSession,
  look: SessionLook,
  seen: SeenSession
): SessionInvalidation | undefined => {
  if (stored.invalidation?.permanent === true) return stored.invalidation
  const contradicted = contradiction(stored, look, seen)
  if (contradicted !== undefined) return noted(stored, look, contradicted, true)
  if (isReorganised(stored, look, seen)) return noted(stored, look, "reorg", false)
  if (!isExpected(stored, seen)) return noted(stored, look, "configuration-changed", true)
  return look.isWalletBound ? undefined : noted(stored, look, "wallet-changed", false)
}

export const judgedSession = (stored: StoredSession, look: SessionLook): JudgedSession => {
  if (look.told === undefined) return doubted(stored, look, "wallet-changed")
  const seen = seenBy(stored, look, look.told)
  if (isContested(stored, look, seen)) return doubted(stored, look, "reorg")
  const invalidation = invalidated(stored, look, seen)
  const isTimely = Number(look.evidence.timestamp) < stored.validUntil
  return {
    observation: seen,
    live: seen.status === "enabled" && invalidation === undefined && isTimely,
    invalidation,
    retired:
      seen.status === "revoked" &&
      BigInt(seen.shown.enableNonce) > BigInt(stored.compiled.enableNonce) &&
      (wasRetired(stored) || isFinal(seen.since.number, look))
  }
}

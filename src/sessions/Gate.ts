/** The sessions of wallets as operations are prepared and sent under them. */
import { Effect, Layer } from "effect"
import type { Actor } from "../accounts/Principal.ts"
import { ConcurrentUpdate } from "../plans/refusals.ts"
import {
  SessionNotActive,
  SessionObservationStale,
  SessionPlanNotAdmitted
} from "../useroperations/refusals.ts"
import { type OperatedSession, SessionGate, type SessionSight } from "../useroperations/SessionGate.ts"
import { packedOperation } from "../values/PackedOperation.ts"
import { ZERO_ADDRESS } from "../values/Scalars.ts"
import { toHex } from "../values/TypedDataHash.ts"
import { type GuardedWallet, guardNonceKey, sessionDigest, sessionEstimation } from "./Compile.ts"
import { sessionEnvelope } from "./Envelope.ts"
import { checkSessionCall, checkSessionOperation } from "./JudgeOperation.ts"
import { enforcedIds, type JudgedSession, judgedSession, type SessionLook } from "./JudgeSession.ts"
import { lifecyclePlanStands } from "./LifecyclePlanStanding.ts"
import type { StoredSession } from "./SessionRow.ts"
import { invalidationOf, sessionState } from "./SessionState.ts"
import { SessionStore } from "./SessionStore.ts"
import { SessionWatchStore } from "./SessionWatchStore.ts"
import { type SightOfSession, sightOfSession } from "./SightOfSession.ts"

/** What a refusal says of a session that is not to be used. */
const standing = (stored: StoredSession, { observation, invalidation, live }: JudgedSession) => {
  const facts = { ...stored, observation, invalidation }
  const reason = invalidationOf(facts)?.reason
  const state = sessionState(facts)
  return { isActive: live && state === "active", context: { state, ...(reason && { reason }) } }
}

/** A bundler refuses what begins within seconds of its own clock, and what it refused holds the session's nonce until the session is over. */
const BEGUN_SECONDS = 10

const checkActive = Effect.fnUntraced(function* (stored: StoredSession, look: SessionLook | undefined) {
  if (look === undefined) return yield* new SessionObservationStale()
  const { isActive, context } = standing(stored, judgedSession(stored, look))
  if (!isActive) return yield* new SessionNotActive({ context })
  const { validAfter } = stored.compiled.policy
  const { timestamp } = look.evidence
  if (Number(timestamp) < validAfter + BEGUN_SECONDS)
    return yield* new SessionNotActive({ context: { ...context, validAfter, timestamp } })
})

const ATTEMPTS = 3

/** Unless others have kept a look of theirs meanwhile, which is as young; what else changed of it is judged upon. */
const keep = Effect.fnUntraced(function* (stored: StoredSession, look: SessionLook) {
  const store = yield* SessionWatchStore
  let known = stored
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (yield* store.record(known, judgedSession(known, look))) return
    known = yield* store.byId(stored.id)
    if ((known.observedAt ?? 0) > (stored.observedAt ?? 0)) return
  }
  return yield* new ConcurrentUpdate()
})

const sightIn = (
  stored: StoredSession,
  { ground, state, look }: SightOfSession,
  watched: typeof SessionWatchStore.Service
): SessionSight => {
  const { policy, permissionId } = stored.compiled
  const used = { policy, permissionId, allocationIds: enforcedIds(stored) }
  return {
    checkActive: checkActive(stored, look),
    checkOperation: (operation, operationHash) =>
      state === undefined
        ? Effect.dieMessage("a session that is active has a state")
        : checkSessionOperation(ground, used, state, packedOperation(operation), operationHash),
    keep:
      look === undefined ? Effect.void : Effect.provideService(keep(stored, look), SessionWatchStore, watched)
  }
}

const namesOf = ({ id, asked, sessionKey, compiled }: StoredSession): OperatedSession["session"] => {
  const { compiledHash, permissionId } = compiled
  return { id, compiledHash, generation: asked.generation, grantId: asked.grantId, permissionId, sessionKey }
}

const wide = (stored: StoredSession): OperatedSession["estimation"] => {
  const { guard, policy, permissionId } = stored.compiled
  const wallet: GuardedWallet = { chainId: stored.chainId, guard, account: stored.wallet }
  const { encoded, stateOverride } = sessionEstimation(wallet, policy)
  return { signaturePrefix: sessionEnvelope(permissionId, encoded, "0x"), stateOverride }
}

const operated = (stored: StoredSession, watched: typeof SessionWatchStore.Service): OperatedSession => {
  const { guard, policy, permissionId, encodedPolicy } = stored.compiled
  const { validAfter, validUntil, gas } = policy
  return {
    session: namesOf(stored),
    bindingId: stored.bindingId,
    nonceKey: guardNonceKey(guard),
    validity: { validAfter, validUntil },
    maxFeePerGas: BigInt(gas.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(gas.maxPriorityFeePerGas),
    paymaster: gas.paymaster === ZERO_ADDRESS ? undefined : gas.paymaster,
    signaturePrefix: sessionEnvelope(permissionId, encodedPolicy, "0x"),
    policyBytes: (encodedPolicy.length - 2) / 2,
    estimation: wide(stored),
    digestOf: hash => toHex(sessionDigest(hash)),
    checkCall: callData => checkSessionCall(policy, callData),
    look: (place, manifest, target) =>
      Effect.map(sightOfSession(place, manifest, stored, target), sight => sightIn(stored, sight, watched))
  }
}

export const sessionGate = Layer.effect(
  SessionGate,
  Effect.gen(function* () {
    const store = yield* SessionStore
    const watched = yield* SessionWatchStore
    const stands = yield* lifecyclePlanStands
    return {
      open: (actor: Actor, sessionId: string) =>
        Effect.map(store.find(sessionId, actor), stored => operated(stored, watched)),
      checkPlan: (planId: string) =>
        Effect.flatMap(stands(planId), isAdmitted =>
          isAdmitted ? Effect.void : new SessionPlanNotAdmitted()
        )
    }
  })
)

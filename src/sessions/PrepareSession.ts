/** Prepares a session: compiled and stored, with no authority; its names are its own for ever from then on, and nothing else is reserved. */
import { Effect, Option } from "effect"
import { Principal } from "../accounts/Principal.ts"
import { Idempotency, requestKey } from "../auth/Idempotency.ts"
import { failpoint } from "../values/Failpoint.ts"
import { RandomIds } from "../values/RandomIds.ts"
import { askedSession } from "./AskedSession.ts"
import { allocationManifestHash, compileSession } from "./CompileSession.ts"
import { storedSession } from "./ReadSessions.ts"
import { SessionRetirementRequired } from "./refusals.ts"
import { sessionGround } from "./SessionGround.ts"
import type { SessionInput } from "./SessionInput.ts"
import { type NewSession, SessionStore } from "./SessionStore.ts"
import { refuseUnlisted } from "./UnlistedGuard.ts"

/** Where one lives, the guard would enable no other upon what it says now. */
const compiled = Effect.fnUntraced(function* (input: SessionInput) {
  const asked = yield* askedSession(input)
  const ground = yield* sessionGround(asked)
  const { wallet, administration, evidence } = ground
  if (administration.live !== null)
    return yield* new SessionRetirementRequired({ context: { permissionId: administration.live } })
  yield* refuseUnlisted(asked.guard.address, wallet, administration)
  const session = yield* compileSession(asked, ground, input.gasBudget)
  const prepared: NewSession = {
    id: yield* (yield* RandomIds).uuid,
    wallet: wallet.address,
    chainId: wallet.chainId,
    stateHash: wallet.stateHash,
    asked: input,
    sessionKey: session.policy.sessionKey,
    manifestId: asked.manifest.id,
    validUntil: asked.validUntil,
    allocationManifestHash: allocationManifestHash(input.allocations),
    compiled: session,
    guardCodeHash: asked.guard.runtimeCodeHash,
    evidence
  }
  return prepared
})

export const prepareSession = Effect.fn("PrepareSession.prepare")(function* (input: SessionInput) {
  const actor = yield* Principal
  const key = yield* requestKey
  const { outcome } = yield* (yield* Idempotency).lookUp(key)
  const known = Option.getOrUndefined(outcome)?.subject
  if (known !== undefined) return yield* storedSession(actor, known, true)
  const session = yield* compiled(input)
  yield* failpoint("session.compiled")
  const id = yield* (yield* SessionStore).store(actor, key, session)
  yield* Effect.annotateCurrentSpan({ session: id })
  yield* failpoint("session.stored")
  return yield* storedSession(actor, id, id !== session.id)
})

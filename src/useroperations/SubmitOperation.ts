/** Sends an operation that a wallet's owners or a session's key signed: parsed, preflighted, claimed, and sent to the bundler once for ever. */
import { Effect, Option } from "effect"
import { AccountActors } from "../accounts/AccountActors.ts"
import { type Actor, Principal } from "../accounts/Principal.ts"
import { type RequestKey, requestKey } from "../auth/Idempotency.ts"
import { ChainClient } from "../chain/ChainClient.ts"
import { claimJudged, haveDependencies, judgedDependencies } from "../dispatch/JudgedDependencies.ts"
import { refreshPlan } from "../dispatch/Reconcile.ts"
import { unlessTwin } from "../dispatch/Twin.ts"
import type { Call } from "../plans/Plan.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import { inPlanTrace } from "../telemetry/PlanTrace.ts"
import { stage } from "../telemetry/Requests.ts"
import { failpoint } from "../values/Failpoint.ts"
import type { Hex } from "../values/Scalars.ts"
import { Bundler } from "./Bundler.ts"
import { fateElsewhere, refuseRepeated } from "./ExecutedElsewhere.ts"
import { endHolders } from "./NonceHolders.ts"
import { operationCalls } from "./OperationCalls.ts"
import type { SessionUse } from "./OperationGround.ts"
import { type PreflightedOperation, preflightOperation } from "./OperationPreflight.ts"
import { OperationSendStore, type SendRequest, type SendToken } from "./OperationSendStore.ts"
import { type SignedOperation, signedOperation } from "./OperationSignatures.ts"
import type { OwnOperation } from "./OwnOperations.ts"
import { storedUserOperation } from "./ReadUserOperations.ts"
import {
  UserOperationChainUnavailable,
  UserOperationConflict,
  UserOperationExpired,
  UserOperationsUnavailable
} from "./refusals.ts"
import { Send } from "./Send.ts"
import { SessionGate } from "./SessionGate.ts"
import { isOverdue, type StoredUserOperation } from "./UserOperationRow.ts"
import { UserOperationStore } from "./UserOperationStore.ts"
import { untold } from "./UsesOfNonces.ts"

const RESTORED =
  "This service was restored from a backup after the operation was prepared, and whether it was sent in between is not known here. Its entry point has not executed it so far: look there again once its time is over, before anything is done in its place."

const SUPERSEDED = "The time to send the operation is over, and something else used its nonce: prepare again."

const expired = ({ isSentPerhaps }: StoredUserOperation, isSuperseded = false) => {
  if (isSentPerhaps) return new UserOperationExpired({ detail: RESTORED })
  return new UserOperationExpired(isSuperseded ? { detail: SUPERSEDED } : {})
}

const checkCarried = Effect.fnUntraced(function* ({ chainId }: StoredUserOperation) {
  const { chainIds } = yield* Bundler
  if (chainIds.length === 0) return yield* new UserOperationsUnavailable()
  if (!chainIds.includes(chainId)) return yield* new UserOperationChainUnavailable({ context: { chainId } })
})

/** Dependencies are looked at anew, because what was confirmed may have left the chain since. */
const currentPlan = Effect.fnUntraced(function* ({ stored, plan: found }: OwnOperation) {
  const { stepIndexes } = stored
  const plan = haveDependencies(found, stepIndexes) ? yield* refreshPlan(found) : found
  const calls = yield* Effect.catchTag(operationCalls(plan, stepIndexes), "PLAN_EXPIRED", () =>
    expired(stored)
  )
  return { plan, calls }
})

/** Of the session whose key signed, if one did. */
const useOf = Effect.fnUntraced(function* (
  actor: Actor,
  { signing }: StoredUserOperation,
  [call]: ReadonlyArray<Call>
) {
  if (!("session" in signing) || call === undefined) return undefined
  const use: SessionUse = {
    operated: yield* (yield* SessionGate).open(actor, signing.session.id),
    target: call.to
  }
  return use
})

interface Sending {
  readonly stored: StoredUserOperation
  readonly plan: StoredPlan
  readonly isExecuted: boolean
}

const claim = Effect.fnUntraced(function* (
  request: SendRequest,
  { stored: { stepIndexes }, plan: judged, isExecuted }: Sending,
  token: SendToken
) {
  const store = yield* OperationSendStore
  if (isExecuted) return yield* store.claimExecuted(request, token)
  return yield* claimJudged(judged, request.actor, plan =>
    store.claim(request, token, judgedDependencies(plan, stepIndexes, stepIndexes))
  )
})

/** The one sending that a claim allows, heard of or not; what was executed already is followed alone, and proved by its chain. */
const carrying = Effect.fnUntraced(function* (
  request: SendRequest,
  { stored, isExecuted }: Sending,
  token: SendToken
) {
  const [store, { send, sendUnheard }] = [yield* OperationSendStore, yield* Send]
  if (isExecuted) return { heard: Effect.ignore(store.settle(token, "unknown")), unheard: Effect.void }
  const placed = { ...stored, operation: request.signed.operation }
  const transport = "session" in stored.signing ? "session" : "user-operation"
  return { heard: send(placed, token, transport), unheard: sendUnheard(request, placed, token, transport) }
})

/** Whether it was this request; one that is given up leaves no claim behind whose operation is not being sent. */
const claimAndSend = (request: SendRequest, sent: Sending) =>
  Effect.gen(function* () {
    const { stored, plan } = sent
    const actors = yield* AccountActors
    const token = yield* (yield* OperationSendStore).newToken(stored.id)
    const { heard, unheard } = yield* carrying(request, sent, token)
    const claimed = Effect.zipLeft(claim(request, sent, token), failpoint("operation.claimed"))
    /** The account's fiber, which claims, knows nothing of the request. */
    const told = Effect.annotateSpans(claimed, { plan: plan.id, operation: stored.id })
    const running = actors.run(request.actor.accountId, told)
    const isOwn = yield* Effect.tapErrorTag(running, "DATABASE_UNAVAILABLE", () => unheard)
    yield* failpoint("operation.told")
    if (isOwn) yield* inPlanTrace(plan.id, "submission", { operation: stored.id })(heard)
    return isOwn
  }).pipe(Effect.uninterruptible)

/** Whether it was executed already, and not from here; refused where it was not, and would not be now. */
const checked = (stored: StoredUserOperation, prepared: PreflightedOperation) =>
  preflightOperation(prepared).pipe(
    Effect.as(false),
    Effect.catchAll(refused => {
      const look = Effect.map(fateElsewhere(stored), fate => fate === "executed")
      /** By this nonce it may have been; whatever else is wrong is told where the chain does not say. */
      const mustTell = refused._tag === "USER_OPERATION_NONCE_CHANGED"
      const isExecuted = mustTell ? look : Effect.orElseSucceed(look, () => false)
      return Effect.filterOrFail(isExecuted, Boolean, () => refused)
    })
  )

/** Others of its steps may have been executed since it was prepared. */
const refuseOther = Effect.fnUntraced(function* ({ operation, chainId, ...stored }: StoredUserOperation) {
  const chains = yield* ChainClient
  yield* refuseRepeated({ ...stored, chainId, wallet: operation.sender }, chains.snapshot(chainId))
})

const sendable = Effect.fnUntraced(function* (
  actor: Actor,
  own: OwnOperation,
  { operation }: SignedOperation
) {
  const { stored } = own
  yield* (yield* SessionGate).checkPlan(stored.planId)
  const { plan, calls } = yield* currentPlan(own)
  const use = yield* useOf(actor, stored, calls)
  const isExecuted = yield* checked(stored, { ...stored, operation, calls, use })
  if (!isExecuted) yield* refuseOther(stored)
  /** What is claimed is sent once for ever: not while it is known that nobody is there to take it. */
  if (!isExecuted) yield* (yield* Bundler).checkServing(stored)
  return { stored, plan, isExecuted }
})

/** Once its time is over, what its chain has is followed, and nothing else. */
const overdue = Effect.fnUntraced(function* ({ stored, plan }: OwnOperation) {
  const fate = yield* fateElsewhere(stored)
  if (fate === "passed-by") return yield* untold(stored)
  if (fate !== "executed") return yield* expired(stored, fate === "superseded")
  return { stored, plan, isExecuted: true }
})

const sendStored = Effect.fnUntraced(function* (
  actor: Actor,
  key: RequestKey,
  own: OwnOperation,
  given: Hex
) {
  const { stored } = own
  yield* checkCarried(stored)
  const signed = yield* signedOperation(stored, given)
  yield* failpoint("operation.parsed")
  if (stored.send !== undefined) return yield* new UserOperationConflict()
  const sending: Sending = yield* isOverdue(stored) ? overdue(own) : sendable(actor, own, signed)
  if (sending.isExecuted) yield* endHolders(stored)
  yield* failpoint("operation.preflighted")
  const request: SendRequest = { actor, key, operationId: stored.id, signed }
  const isOwn = yield* claimAndSend(request, sending)
  return yield* storedUserOperation(actor, stored.id, !isOwn)
})

/** Nothing but the stored record is asked for what a key has led to already. */
export const submitOperation = Effect.fnUntraced(function* (id: string, signature: Hex) {
  const actor = yield* Principal
  const key = yield* requestKey
  const own = yield* (yield* UserOperationStore).findOwn(id, key)
  const known = Option.getOrUndefined(own.outcome)?.subject
  if (known !== undefined) return yield* storedUserOperation(actor, known, true)
  const sending = sendStored(actor, key, own, signature)
  const named = Effect.annotateSpans(sending, { plan: own.plan.id, operation: id })
  return yield* Effect.catchAll(named, refused =>
    unlessTwin(key, refused, subject => storedUserOperation(actor, subject, true))
  )
}, stage("SubmitOperation.submit"))

/** Prepares a user operation for steps of a wallet's plan, at one head of its chain; nothing is reserved by that. */
import { createHash } from "node:crypto"
import { Effect, Option } from "effect"
import { type Actor, Principal } from "../accounts/Principal.ts"
import { requestKey } from "../auth/Idempotency.ts"
import { believingReverts } from "../chain/BelievedRevert.ts"
import { findOwnPlan } from "../dispatch/OwnPlan.ts"
import type { Call } from "../plans/Plan.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import { BindingStore } from "../smartaccounts/BindingStore.ts"
import { Manifests } from "../smartaccounts/Manifests.ts"
import { SmartAccountChanged } from "../smartaccounts/refusals.ts"
import { failpoint } from "../values/Failpoint.ts"
import { maximumCostOf, type OperationPlace, operationHash } from "../values/PackedOperation.ts"
import { RandomIds } from "../values/RandomIds.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import { safeOperationDigest } from "../values/SafeOperation.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { Bundler } from "./Bundler.ts"
import { type CommittedOperation, committedOperationText } from "./CommittedOperation.ts"
import { draftedOperation } from "./DraftOperation.ts"
import { refuseRepeated } from "./ExecutedElsewhere.ts"
import { operationCalls } from "./OperationCalls.ts"
import { calldataOf } from "./OperationDraft.ts"
import { type OperationGround, operationGround, type SessionUse } from "./OperationGround.ts"
import { storedUserOperation } from "./ReadUserOperations.ts"
import {
  UserOperationChainUnavailable,
  UserOperationPlanUnsuitable,
  UserOperationsUnavailable
} from "./refusals.ts"
import { SessionGate } from "./SessionGate.ts"
import { type NewUserOperation, UserOperationStore } from "./UserOperationStore.ts"

export interface AskedUserOperation {
  readonly planId: string
  readonly stepIndexes: ReadonlyArray<number>
  readonly sessionId?: string | undefined
}

const unsuitable = (reason: string) => new UserOperationPlanUnsuitable({ context: { reason } })

/** The wallet that the plan is of, as it is bound now, and the manifest by which it acts. */
const walletOf = Effect.fnUntraced(function* ({ accountId }: Actor, { terms }: StoredPlan) {
  const { smartAccount } = terms
  if (smartAccount === undefined) return yield* unsuitable("wallet")
  const binding = yield* (yield* BindingStore).find(accountId, smartAccount.bindingId)
  if (binding.stateHash !== smartAccount.stateHash)
    return yield* new SmartAccountChanged({ context: { check: "binding", stateHash: binding.stateHash } })
  const manifest = yield* (yield* Manifests).byId(binding.manifestId)
  if (manifest.mode !== "execution") return yield* unsuitable("ownership-only")
  const { chainIds } = yield* Bundler
  if (!chainIds.includes(binding.chainId))
    return yield* new UserOperationChainUnavailable({ context: { chainId: binding.chainId } })
  return { binding, manifest }
})

const commitmentOf = (actor: Actor, terms: CommittedOperation): Bytes32 => {
  const text = committedOperationText(terms, { accountId: actor.accountId, principalId: actor.id })
  return `0x${createHash("sha256").update(text).digest("hex")}`
}

type Wallet = Effect.Effect.Success<ReturnType<typeof walletOf>>

interface Drafted extends Wallet {
  readonly id: string
  readonly plan: StoredPlan
  readonly stepIndexes: ReadonlyArray<number>
  readonly use: SessionUse | undefined
  readonly ground: OperationGround
  readonly drafted: Effect.Effect.Success<ReturnType<typeof draftedOperation>>
}

/** What the wallet's owners sign, or the session's key. */
const signingOf = (
  { manifest: { pins }, use, ground, drafted: { operation, validity } }: Drafted,
  place: OperationPlace
): NewUserOperation["signing"] => {
  const { owners, threshold } = ground.wallet.inspection.state
  const own = { ...validity, threshold, owners }
  if (use === undefined) {
    const adapted = { ...place, ...validity, adapter: pins.adapter.address, operation }
    return { digest: safeOperationDigest(adapted), ...own }
  }
  const { session, signaturePrefix, digestOf } = use.operated
  return { digest: digestOf(operationHash(operation, place)), ...own, session, signaturePrefix }
}

/** With what is signed, and what is committed to. */
const sealed = (actor: Actor, whole: Drafted) => {
  const { id, plan, stepIndexes, binding, manifest, ground, drafted } = whole
  const { adapter, entryPoint: pinned } = manifest.pins
  const { chainId } = binding
  const place = { chainId, entryPoint: pinned.address }
  const { operation, expiresAt, gasPolicyId } = drafted
  const terms = {
    id,
    planId: plan.id,
    planCommitment: plan.commitment,
    stepIndexes,
    ...place,
    operation,
    gasPolicyId,
    operationHash: operationHash(operation, place),
    bindingId: binding.id,
    stateHash: binding.stateHash,
    providerId: `bundler:${chainId}`,
    expiresAt,
    signing: signingOf(whole, place)
  }
  const asked: NewUserOperation = {
    ...terms,
    commitment: commitmentOf(actor, { ...terms, session: whole.use?.operated.session }),
    adapter: adapter.address,
    manifestId: manifest.id,
    maximumCost: String(maximumCostOf(operation)),
    sinceBlock: String(ground.block.number),
    walletCodeHash: manifest.proxyRuntimeCodeHash,
    entryPointCodeHash: pinned.runtimeCodeHash
  }
  return asked
}

/** What of it needs nobody's word is looked at first: the wallet is the session's, and its policy has the call. */
const useOf = Effect.fnUntraced(function* (
  actor: Actor,
  { binding }: Wallet,
  calls: ReadonlyArray<Call>,
  sessionId: string | undefined
) {
  const [call] = calls
  if (sessionId === undefined || call === undefined) return undefined
  const operated = yield* (yield* SessionGate).open(actor, sessionId)
  if (operated.bindingId !== binding.id) return yield* unsuitable("session")
  yield* operated.checkCall(calldataOf(calls))
  const use: SessionUse = { operated, target: call.to }
  return use
})

const prepared = Effect.fnUntraced(function* (
  actor: Actor,
  plan: StoredPlan,
  { stepIndexes, sessionId }: AskedUserOperation
) {
  const wallet = yield* walletOf(actor, plan)
  const { binding, manifest } = wallet
  yield* (yield* SessionGate).checkPlan(plan.id)
  const calls = yield* operationCalls(plan, stepIndexes)
  const use = yield* useOf(actor, wallet, calls, sessionId)
  const place = { chainId: binding.chainId, entryPoint: manifest.pins.entryPoint.address }
  const bundler = yield* Bundler
  const anew = operationGround(binding, manifest, use)
  const [first, fees] = yield* Effect.all([anew, bundler.fees(place)], { concurrency: "unbounded" })
  const id = yield* (yield* RandomIds).uuid
  /** A bundler's node is believed no more than our own: it estimates at the head as well. */
  const { ground, drafted } = yield* believingReverts(first, {
    headOf: ({ block }) => block.hash,
    anew,
    run: ground =>
      Effect.zipRight(
        refuseRepeated(
          { ...place, planId: plan.id, stepIndexes, wallet: binding.address },
          Effect.succeed(ground)
        ),
        Effect.map(draftedOperation({ id, place, plan, calls, use, ground, fees }), drafted => ({
          ground,
          drafted
        }))
      )
  })
  return sealed(actor, { id, plan, stepIndexes, binding, manifest, use, ground, drafted })
})

/** Two that are else alike may be drawn alike too. */
const DRAWS_ANEW = 3
const isDrawnAlike = (refused: AnyRefusal): boolean =>
  refused._tag === "USER_OPERATION_CONFLICT" && refused.retryable === true

export const prepareUserOperation = Effect.fn("PrepareUserOperation.prepare")(function* (
  question: AskedUserOperation
) {
  const { planId } = question
  const actor = yield* Principal
  const key = yield* requestKey
  const { plan, outcome } = yield* findOwnPlan(actor, planId, key)
  const known = Option.getOrUndefined(outcome)?.subject
  if (known !== undefined) return yield* storedUserOperation(actor, known, true)
  if ((yield* Bundler).chainIds.length === 0) return yield* new UserOperationsUnavailable()
  const store = yield* UserOperationStore
  const stored = Effect.gen(function* () {
    const asked = yield* prepared(actor, plan, question)
    yield* failpoint("operation.estimated")
    const id = yield* store.store(actor, key, asked)
    return { id, isTwins: id !== asked.id }
  })
  const { id, isTwins } = yield* Effect.retry(stored, { times: DRAWS_ANEW, while: isDrawnAlike })
  yield* Effect.annotateCurrentSpan({ plan: planId, operation: id })
  yield* failpoint("operation.stored")
  return yield* storedUserOperation(actor, id, isTwins)
})

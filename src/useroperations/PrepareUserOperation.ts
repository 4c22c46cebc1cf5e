/** Prepares a user operation for steps of a wallet's plan, at one head of its chain; nothing is reserved by that. */
import { createHash } from "node:crypto"
import { Effect, Option } from "effect"
import { type Actor, Principal } from "../accounts/Principal.ts"
import { requestKey } from "../auth/Idempotency.ts"
import { believingReverts } from "../chain/BelievedRevert.ts"
import { findOwnPlan } from "../dispatch/OwnPlan.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import { BindingStore } from "../smartaccounts/BindingStore.ts"
import { Manifests } from "../smartaccounts/Manifests.ts"
import { SmartAccountChanged } from "../smartaccounts/refusals.ts"
import { failpoint } from "../values/Failpoint.ts"
import { maximumCostOf, operationHash } from "../values/PackedOperation.ts"
import { RandomIds } from "../values/RandomIds.ts"
import { safeOperationDigest } from "../values/SafeOperation.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { Bundler } from "./Bundler.ts"
import { type CommittedOperation, committedOperationText } from "./CommittedOperation.ts"
import { draftedOperation } from "./DraftOperation.ts"
import { operationCalls } from "./OperationCalls.ts"
import { type OperationGround, operationGround } from "./OperationGround.ts"
import { storedUserOperation } from "./ReadUserOperations.ts"
import {
  UserOperationChainUnavailable,
  UserOperationPlanUnsuitable,
  UserOperationsUnavailable
} from "./refusals.ts"
import { type NewUserOperation, UserOperationStore } from "./UserOperationStore.ts"

export interface AskedUserOperation {
  readonly planId: string
  readonly stepIndexes: ReadonlyArray<number>
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
  readonly ground: OperationGround
  readonly drafted: Effect.Effect.Success<ReturnType<typeof draftedOperation>>
}

/** With what its owners sign, and what is committed to. */
const sealed = (actor: Actor, { id, plan, stepIndexes, binding, manifest, ground, drafted }: Drafted) => {
  const { adapter, entryPoint: pinned } = manifest.pins
  const { chainId } = binding
  const place = { chainId, entryPoint: pinned.address }
  const { operation, validity, gasPolicyId } = drafted
  const { owners, threshold } = ground.wallet.inspection.state
  const digest = safeOperationDigest({ ...place, ...validity, adapter: adapter.address, operation })
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
    expiresAt: validity.validUntil * 1000,
    signing: { digest, ...validity, threshold, owners }
  }
  const asked: NewUserOperation = {
    ...terms,
    commitment: commitmentOf(actor, terms),
    adapter: adapter.address,
    manifestId: manifest.id,
    maximumCost: String(maximumCostOf(operation)),
    sinceBlock: String(ground.block.number),
    walletCodeHash: manifest.proxyRuntimeCodeHash,
    entryPointCodeHash: pinned.runtimeCodeHash
  }
  return asked
}

const prepared = Effect.fnUntraced(function* (
  actor: Actor,
  plan: StoredPlan,
  stepIndexes: ReadonlyArray<number>
) {
  const { binding, manifest } = yield* walletOf(actor, plan)
  const calls = yield* operationCalls(plan, stepIndexes)
  const { chainId } = binding
  const place = { chainId, entryPoint: manifest.pins.entryPoint.address }
  const bundler = yield* Bundler
  const anew = operationGround(binding, manifest)
  const [first, fees] = yield* Effect.all([anew, bundler.fees(place)], { concurrency: "unbounded" })
  const id = yield* (yield* RandomIds).uuid
  /** A bundler's node is believed no more than our own: it estimates at the head as well. */
  const { ground, drafted } = yield* believingReverts(first, {
    headOf: ({ block }) => block.hash,
    anew,
    run: ground =>
      Effect.map(draftedOperation({ id, place, plan, calls, ground, fees }), drafted => ({ ground, drafted }))
  })
  return sealed(actor, { id, plan, stepIndexes, binding, manifest, ground, drafted })
})

export const prepareUserOperation = Effect.fn("PrepareUserOperation.prepare")(function* ({
  planId,
  stepIndexes
}: AskedUserOperation) {
  const actor = yield* Principal
  const key = yield* requestKey
  const { plan, outcome } = yield* findOwnPlan(actor, planId, key)
  const known = Option.getOrUndefined(outcome)?.subject
  if (known !== undefined) return yield* storedUserOperation(actor, known, true)
  if ((yield* Bundler).chainIds.length === 0) return yield* new UserOperationsUnavailable()
  const asked = yield* prepared(actor, plan, stepIndexes)
  yield* failpoint("operation.estimated")
  const id = yield* (yield* UserOperationStore).store(actor, key, asked)
  yield* Effect.annotateCurrentSpan({ plan: planId, operation: id })
  yield* failpoint("operation.stored")
  return yield* storedUserOperation(actor, id, id !== asked.id)
})

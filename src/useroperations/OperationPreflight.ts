/** Whether a signed operation would be executed now: its wallet is as it was bound, and its entry point runs it, at one head of its chain. */
import { Effect } from "effect"
import { believingReverts } from "../chain/BelievedRevert.ts"
import type { CallRequest } from "../chain/ChainClient.ts"
import { batched } from "../chain/GatheredSession.ts"
import { balance, call as callAt } from "../chain/PinnedReads.ts"
import { RpcInvalidResponse } from "../chain/refusals.ts"
import type { Call } from "../plans/Plan.ts"
import { invocation, nodeRefused } from "../protocol/Answers.ts"
import { evidenceOf } from "../protocol/BlockEvidence.ts"
import { inspectAt } from "../smartaccounts/Inspect.ts"
import type { SmartManifest } from "../smartaccounts/Manifest.ts"
import { Manifests } from "../smartaccounts/Manifests.ts"
import { SmartAccountChanged } from "../smartaccounts/refusals.ts"
import { stateHash, type WalletState } from "../smartaccounts/StateHash.ts"
import { manifestHead } from "../smartaccounts/WalletChecks.ts"
import { eachAtOnce } from "../values/EachAtOnce.ts"
import { maximumCostOf } from "../values/PackedOperation.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { keyOwner } from "./ContractSigned.ts"
import { operationHashCall, type PlacedOperation } from "./HandleOps.ts"
import { valueOf } from "./OperationDraft.ts"
import { type SessionUse, sessionSight } from "./OperationGround.ts"
import type { SignableOperation } from "./OperationSignatures.ts"
import { sentUntil } from "./OperationTimes.ts"
import { paidUntil } from "./PaidUntil.ts"
import { type OperationHead, refuseFailedRun, runOperation } from "./RunOperation.ts"
import { UserOperationExpired, UserOperationNonceChanged, unfunded } from "./refusals.ts"

/** As it is signed. */
export interface PreflightedOperation extends PlacedOperation, Pick<SignableOperation, "signing"> {
  readonly manifestId: string
  /** Of the binding. */
  readonly stateHash: Bytes32
  readonly calls: ReadonlyArray<Call>
  /** Of the session whose key signed, if one did. */
  readonly use: SessionUse | undefined
}

const WORD_LENGTH = 66
const LANE_BITS = 64n

export const nonceKeyOf = (nonce: bigint): bigint => nonce >> LANE_BITS

const changed = (check: string) => new SmartAccountChanged({ context: { check } })

/** What else an inspection lets pass is the guard alone, which a wallet may have or not. */
const checkState = (
  { signing: { owners, threshold }, ...bound }: PreflightedOperation,
  { pins: { guard } }: SmartManifest,
  found: WalletState
): Effect.Effect<void, SmartAccountChanged> => {
  if (stateHash(found) === bound.stateHash) return Effect.void
  if (owners.length !== found.owners.length || !owners.every(owner => found.owners.includes(owner)))
    return changed("owners")
  if (threshold !== found.threshold) return changed("threshold")
  const validators = found.validators.length > 0 || guard === undefined ? [] : [guard.address]
  return changed(stateHash({ ...found, validators }) === bound.stateHash ? "validators" : "state")
}

/** The contracts are pinned: another answer is the node's own. */
const unfit = () => new RpcInvalidResponse({ detail: "The entry point cannot have answered so." })

const wordAt = Effect.fnUntraced(function* ({ session, block }: OperationHead, request: CallRequest) {
  const [outcome] = yield* session.all([callAt(request, block.hash)])
  if (outcome._tag === "Refused") return yield* nodeRefused(outcome.code)
  if (outcome._tag === "Reverted" || outcome.data.length !== WORD_LENGTH) return yield* unfit()
  return outcome.data
})

/** What the wallet can be made to pay beside what its calls send; nothing is asked of it where a paymaster pays. */
const checkFunds = Effect.fnUntraced(function* (
  head: OperationHead,
  { entryPoint, operation, calls }: PreflightedOperation
) {
  if ("paymaster" in operation) return
  const { sender } = operation
  const [told, held] = yield* eachAtOnce([
    wordAt(head, invocation(entryPoint, "balanceOf(address)", sender)),
    head.session.all([balance(sender, head.block.hash)])
  ])
  const deposited = yield* told
  const [own] = yield* held
  const required = maximumCostOf(operation) + valueOf(calls)
  const available = BigInt(deposited) + own
  if (available < required) return yield* unfunded(required, available)
})

/** Of the operation's key. */
export const nextOperationNonce = Effect.fnUntraced(function* (
  head: OperationHead,
  { entryPoint, operation }: Pick<PlacedOperation, "entryPoint" | "operation">
) {
  const { nonce, sender } = operation
  const key = nonceKeyOf(BigInt(nonce))
  return BigInt(yield* wordAt(head, invocation(entryPoint, "getNonce(address,uint192)", sender, key)))
})

const checkNonce = Effect.fnUntraced(function* (head: OperationHead, placed: PlacedOperation) {
  if ((yield* nextOperationNonce(head, placed)) !== BigInt(placed.operation.nonce))
    return yield* new UserOperationNonceChanged()
})

const checkAt = Effect.fnUntraced(function* (
  head: OperationHead,
  manifest: SmartManifest,
  prepared: PreflightedOperation
) {
  const { operation, operationHash, signing, calls } = prepared
  const place = { session: head.session, evidence: evidenceOf(head.block) }
  const bundler = keyOwner(signing.owners, manifest) ?? operation.sender
  const [inspected, seen, hash, nonce, funds, paid, run] = yield* eachAtOnce([
    inspectAt(place, manifest, operation.sender, signing.owners),
    sessionSight(place, manifest, prepared.use),
    wordAt(head, operationHashCall(prepared)),
    checkNonce(head, prepared),
    checkFunds(head, prepared),
    paidUntil(head, prepared),
    runOperation(head, prepared, bundler)
  ])
  yield* checkState(prepared, manifest, (yield* inspected).state)
  const sight = yield* seen
  yield* sight === undefined ? Effect.void : sight.checkActive
  if ((yield* hash) !== operationHash) return yield* unfit()
  yield* nonce
  const validUntil = Math.min(signing.validUntil, yield* paid)
  if (BigInt(sentUntil({ validUntil })) <= head.block.timestamp) return yield* new UserOperationExpired()
  yield* sight === undefined ? Effect.void : sight.checkOperation(operation, operationHash)
  yield* funds
  yield* refuseFailedRun(yield* run, calls)
  return sight === undefined ? Effect.void : sight.keep
})

export const preflightOperation = Effect.fn("OperationPreflight.run")(function* (
  prepared: PreflightedOperation
) {
  const manifest = yield* Effect.catchAll((yield* Manifests).byId(prepared.manifestId), () =>
    changed("manifest")
  )
  const head = Effect.map(manifestHead(manifest), ({ session, block }) => ({
    session: batched(session),
    block
  }))
  /** What was seen of a session is kept once nothing is refused. */
  yield* yield* believingReverts(yield* head, {
    headOf: ({ block }) => block.hash,
    anew: head,
    run: at => checkAt(at, manifest, prepared)
  })
})

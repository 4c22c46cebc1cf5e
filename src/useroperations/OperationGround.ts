/** What an operation rests on, at one head of its chain: the wallet as it is bound, its nonce, its funds and the chain's fees. */
import { Effect } from "effect"
import { ChainClient, type ChainSession } from "../chain/ChainClient.ts"
import { batched } from "../chain/GatheredSession.ts"
import { balance } from "../chain/PinnedReads.ts"
import { OWNERS_NONCE_KEY } from "../plans/Binding.ts"
import { invocation } from "../protocol/Answers.ts"
import { evidenceOf } from "../protocol/BlockEvidence.ts"
import type { StoredBinding } from "../smartaccounts/BindingStore.ts"
import { type BoundWallet, boundWalletAt } from "../smartaccounts/BoundWallet.ts"
import type { InspectionPlace } from "../smartaccounts/Inspect.ts"
import type { SmartManifest } from "../smartaccounts/Manifest.ts"
import { eachAtOnce } from "../values/EachAtOnce.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"
import { ownersSigningGas } from "./ContractSigned.ts"
import { entryPointNumber, nonceQuestion } from "./EntryPointNumber.ts"
import { nodePriority } from "./OperationFees.ts"
import type { OperatedSession, SessionSight } from "./SessionGate.ts"

export interface OperationGround {
  /** Of the endpoint that was asked. */
  readonly session: ChainSession
  readonly wallet: BoundWallet
  readonly nonce: bigint
  /** What the entry point holds for the wallet. */
  readonly deposit: bigint
  readonly balance: bigint
  readonly priority: bigint
  /** Beyond what an estimate tells of. */
  readonly signingGas: bigint
  /** Of the session whose key is to sign, if one is. */
  readonly sight: SessionSight | undefined
  readonly block: {
    readonly number: bigint
    readonly hash: Bytes32
    readonly timestamp: bigint
    readonly baseFee: bigint
  }
}

/** What a session is looked at with. */
export interface SessionUse {
  readonly operated: OperatedSession
  /** Of the one call. */
  readonly target: Address
}

/** None where the owners sign. */
export const sessionSight = (place: InspectionPlace, manifest: SmartManifest, use: SessionUse | undefined) =>
  use === undefined ? Effect.succeed(undefined) : use.operated.look(place, manifest, use.target)

/** Two round trips: the head, then all that is looked at there. */
export const operationGround = Effect.fn("OperationGround.look")(function* (
  binding: StoredBinding,
  manifest: SmartManifest,
  use: SessionUse | undefined
) {
  const { chainId, address, state } = binding
  const snapshot = yield* (yield* ChainClient).snapshot(chainId)
  const session = batched(snapshot.session)
  const { hash, number, timestamp, baseFeePerGas } = snapshot.block
  const entryPoint = manifest.pins.entryPoint.address
  const place = { session, evidence: evidenceOf(snapshot.block) }
  const key = use?.operated.nonceKey ?? OWNERS_NONCE_KEY
  const [inspected, counted, deposited, told, seen, signing] = yield* eachAtOnce([
    boundWalletAt(place, binding),
    entryPointNumber(session, nonceQuestion(entryPoint, address, key), hash),
    entryPointNumber(session, invocation(entryPoint, "balanceOf(address)", address), hash),
    session.all([balance(address, hash), nodePriority]),
    sessionSight(place, manifest, use),
    use === undefined ? ownersSigningGas(session, hash, state, manifest) : Effect.succeed(0n)
  ])
  /** What the contracts answer counts for nothing before their code is the pinned one. */
  const wallet = yield* inspected
  const [nonce, deposit] = [yield* counted, yield* deposited]
  const [[own, priority], sight, signingGas] = [yield* told, yield* seen, yield* signing]
  yield* sight === undefined ? Effect.void : sight.checkActive
  const block = { number, hash, timestamp, baseFee: baseFeePerGas ?? 0n }
  const funds = { deposit, balance: own, priority, signingGas }
  const ground: OperationGround = { session, wallet, nonce, ...funds, sight, block }
  return ground
})

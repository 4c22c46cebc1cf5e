/** Prepares a plan for a wallet that is bound to the caller's account, at whose block the wallet is inspected. */
import { Effect, Fiber } from "effect"
import { Principal } from "../accounts/Principal.ts"
import { ChainClient, type Snapshot } from "../chain/ChainClient.ts"
import { batched } from "../chain/GatheredSession.ts"
import { createBoundPlan } from "../plans/CreatePlan.ts"
import type { Call } from "../plans/Plan.ts"
import type { PlanDraft, WalletDraft } from "../plans/PlanDraft.ts"
import { InvalidPlanEvidence, PlanAccountMismatch } from "../plans/refusals.ts"
import { evidenceOf } from "../protocol/BlockEvidence.ts"
import { eachAtOnce } from "../values/EachAtOnce.ts"
import type { Address } from "../values/Scalars.ts"
import { BindingStore, type StoredBinding } from "./BindingStore.ts"
import { type BoundWallet, boundWalletAt } from "./BoundWallet.ts"
import { AdministrationUnadmitted, CallChainMismatch } from "./refusals.ts"

/** What was asked to be prepared; it sees the wallet as its account. */
interface Asked {
  readonly account: Address
  /** Of each call that was asked for. */
  readonly chainIds: ReadonlyArray<number>
}

export interface AskedPlan<E, R> extends Asked {
  /** At a block of its own choice. */
  readonly draft: Effect.Effect<PlanDraft, E, R>
}

export interface AskedCalls<E, R> extends Asked {
  readonly draftAt: (snapshot: Snapshot) => Effect.Effect<PlanDraft, E, R>
}

const checkAsked = Effect.fnUntraced(function* (
  { chainId, address }: StoredBinding,
  { account, chainIds }: Asked
) {
  if (account !== address)
    return yield* new PlanAccountMismatch({
      detail: `The input's account must be the wallet of the binding, ${address}.`,
      context: { wallet: address }
    })
  const position = chainIds.findIndex(id => id !== chainId)
  if (position >= 0)
    return yield* new CallChainMismatch({
      context: { call: position, chainId: chainIds[position], wallet: chainId }
    })
})

export const draftFor = (draft: PlanDraft, wallet: BoundWallet): WalletDraft => {
  const { bindingId, stateHash, chainId, address, manifest } = wallet
  const smartAccount = {
    ...{ bindingId, stateHash, chainId, address },
    manifestId: manifest.id,
    manifestRevision: manifest.revision
  }
  return { ...draft, smartAccount }
}

/** `revoke(bytes32)`, which only ends what a session's key may do. */
const REVOKE = "0xb75c7dc6"

/** Where sessions are enabled and modules installed: the adapter serves whatever wallet calls it, by its own address or the wallet's. */
const administers = ({ address, manifest }: BoundWallet, { to, data }: Call): boolean => {
  const { adapter, guard } = manifest.pins
  return to === address || to === adapter.address || (to === guard?.address && !data.startsWith(REVOKE))
}

/** What enables a session is planned for that session alone, which admits it. */
const asWallet = (draft: PlanDraft, wallet: BoundWallet) => {
  const call = draft.calls.findIndex(each => administers(wallet, each))
  return call < 0
    ? Effect.succeed(draftFor(draft, wallet))
    : new AdministrationUnadmitted({ context: { call } })
}

/** One round trip beyond the draft's. */
const boundAfter = Effect.fnUntraced(function* (binding: StoredBinding, draft: PlanDraft) {
  const [evidence] = draft.evidence
  if (evidence === undefined) return yield* new InvalidPlanEvidence()
  const session = yield* (yield* ChainClient).session(binding.chainId)
  return yield* asWallet(draft, yield* boundWalletAt({ session, evidence }, binding))
})

/** The wallet is inspected in the round trip of the draft's own reads. */
const bothAt = Effect.fnUntraced(function* <E, R>(
  { session, block }: Snapshot,
  binding: StoredBinding,
  { draftAt }: Pick<AskedCalls<E, R>, "draftAt">
) {
  const chains = yield* ChainClient
  const reading = batched(session)
  const place = { session: reading, evidence: evidenceOf(block) }
  const [draft, wallet] = yield* eachAtOnce([
    draftAt(chains.snapshotOf(reading, block)),
    boundWalletAt(place, binding)
  ])
  return yield* asWallet(yield* draft, yield* wallet)
})

const boundBeside = Effect.fnUntraced(function* <E, R>(binding: StoredBinding, asked: AskedCalls<E, R>) {
  const snapshot = yield* (yield* ChainClient).snapshot(binding.chainId)
  return yield* bothAt(snapshot, binding, asked)
})

/** The binding is looked for while the key is. */
export const planForWallet = Effect.fnUntraced(function* <E, R>(
  bindingId: string,
  asked: AskedPlan<E, R> | AskedCalls<E, R>
) {
  const { accountId } = yield* Principal
  const finding = yield* Effect.fork((yield* BindingStore).find(accountId, bindingId))
  return yield* createBoundPlan(
    Effect.gen(function* () {
      const binding = yield* yield* Fiber.await(finding)
      yield* checkAsked(binding, asked)
      return "draftAt" in asked
        ? yield* boundBeside(binding, asked)
        : yield* boundAfter(binding, yield* asked.draft)
    })
  )
})

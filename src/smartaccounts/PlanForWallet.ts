/** Prepares a plan for a wallet that is bound to the caller's account, at whose block the wallet is inspected. */
import { Effect } from "effect"
import { Principal } from "../accounts/Principal.ts"
import { ChainClient } from "../chain/ChainClient.ts"
import { createBoundPlan } from "../plans/CreatePlan.ts"
import type { PlanDraft, WalletDraft } from "../plans/PlanDraft.ts"
import { InvalidPlanEvidence, PlanAccountMismatch } from "../plans/refusals.ts"
import type { Address } from "../values/Scalars.ts"
import { BindingStore, type StoredBinding } from "./BindingStore.ts"
import { boundWalletAt } from "./BoundWallet.ts"
import { CallChainMismatch } from "./refusals.ts"

/** What an operation was asked to prepare; it sees the wallet as its account. */
export interface AskedPlan<E, R> {
  readonly account: Address
  /** Of each call that was asked for. */
  readonly chainIds: ReadonlyArray<number>
  readonly draft: Effect.Effect<PlanDraft, E, R>
}

const checkAsked = Effect.fnUntraced(function* (
  { chainId, address }: StoredBinding,
  { account, chainIds }: Pick<AskedPlan<never, never>, "account" | "chainIds">
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

/** One round trip beyond the draft's. */
const bound = Effect.fnUntraced(function* (binding: StoredBinding, draft: PlanDraft) {
  const [evidence] = draft.evidence
  if (evidence === undefined) return yield* new InvalidPlanEvidence()
  const session = yield* (yield* ChainClient).session(binding.chainId)
  const { bindingId, stateHash, chainId, address, manifest } = yield* boundWalletAt(
    { session, evidence },
    binding
  )
  const smartAccount = {
    bindingId,
    stateHash,
    chainId,
    address,
    manifestId: manifest.id,
    manifestRevision: manifest.revision
  }
  const walletDraft: WalletDraft = { ...draft, smartAccount }
  return walletDraft
})

export const planForWallet = <E, R>(bindingId: string, asked: AskedPlan<E, R>) =>
  createBoundPlan(
    Effect.gen(function* () {
      const { accountId } = yield* Principal
      const binding = yield* (yield* BindingStore).find(accountId, bindingId)
      yield* checkAsked(binding, asked)
      return yield* bound(binding, yield* asked.draft)
    })
  )

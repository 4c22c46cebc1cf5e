/** Lists bindings from storage, and shows one with a new look at its wallet. */
import { Effect } from "effect"
import { Principal } from "../accounts/Principal.ts"
import { decodeListCursor, encodeListCursor } from "../plans/ListCursor.ts"
import { BindingStore, type StoredBinding } from "./BindingStore.ts"
import { inspectWallet, shownWallet } from "./Inspect.ts"
import { Manifests } from "./Manifests.ts"
import type { InspectedWallet } from "./SmartAccount.ts"
import { changedMembers, stateHash } from "./StateHash.ts"
import type { ListedBinding, WalletBinding } from "./WalletBinding.ts"

const shared = (stored: StoredBinding) => ({
  id: stored.id,
  wallet: { chainId: stored.chainId, address: stored.address },
  manifestId: stored.manifestId,
  ownerAccountId: stored.accountId,
  ownerAddress: stored.ownerAddress,
  authorization: {
    digest: stored.digest,
    nonce: stored.nonce,
    expiresAt: stored.expiresAt,
    method: "safe-current-owner-threshold" as const
  },
  stateHash: stored.stateHash,
  createdAt: stored.createdAt,
  revision: stored.revision
})

/** As its owners signed for it. */
export const storedBinding = (stored: StoredBinding): WalletBinding => ({
  ...shared(stored),
  status: "linked",
  state: stored.state
})

const seenAs = (stored: StoredBinding, state: InspectedWallet): WalletBinding =>
  stateHash(state) === stored.stateHash
    ? { ...shared(stored), status: "linked", state }
    : { ...shared(stored), status: "changed", state, changes: changedMembers(stored.state, state) }

const failing = (stored: StoredBinding, failedCheck: string) =>
  Effect.succeed<WalletBinding>({ ...shared(stored), status: "changed", failedCheck })

/** Three round trips. */
export const bindingOf = Effect.fn("ReadBindings.show")(function* (id: string) {
  const { accountId } = yield* Principal
  const stored = yield* (yield* BindingStore).find(accountId, id)
  return yield* Effect.flatMap(Manifests, ({ byId }) => byId(stored.manifestId)).pipe(
    Effect.flatMap(manifest => inspectWallet(manifest, stored.address)),
    Effect.map(inspection => seenAs(stored, shownWallet(inspection))),
    Effect.catchTags({
      MANIFEST_NOT_FOUND: () => failing(stored, "manifest"),
      SMART_ACCOUNT_UNSUPPORTED: ({ context }) => failing(stored, String(context?.check)),
      SMART_ACCOUNT_UNDEPLOYED: () => failing(stored, "account-code")
    })
  )
})

export interface BindingListQuery {
  readonly limit: number
  readonly cursor?: string | undefined
}

export const pageOfBindings = Effect.fn("ReadBindings.list")(function* ({ limit, cursor }: BindingListQuery) {
  const actor = yield* Principal
  const listed = { list: "bindings", filter: undefined } as const
  const after = cursor === undefined ? undefined : yield* decodeListCursor(actor, listed, cursor)
  const found = yield* (yield* BindingStore).page(actor.accountId, { limit, after })
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const nextCursor =
    found.length > limit && last !== undefined ? yield* encodeListCursor(actor, listed, last) : null
  const shown = items.map(
    (stored): ListedBinding => ({
      ...shared(stored),
      status: "linked",
      observation: "stored-binding-snapshot"
    })
  )
  return { items: shown, nextCursor }
})

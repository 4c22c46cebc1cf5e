/** Ends a binding: nothing more is prepared for its wallet or sent by it, and what was reserved stays so. */
import { Effect } from "effect"
import { Principal } from "../accounts/Principal.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { BindingStore, type StoredBinding } from "./BindingStore.ts"
import { inspectWallet } from "./Inspect.ts"
import { Manifests } from "./Manifests.ts"
import type { UnlinkedBinding } from "./WalletBinding.ts"

/** A chain that does not tell keeps nobody from unlinking. */
const LOOK_MS = 5_000

/** Whether a session lives at the wallet's guard; it is not ruled out where nothing can be seen of it. */
const hasLiveSession = Effect.fnUntraced(
  function* ({ manifestId, address }: StoredBinding) {
    const manifest = yield* (yield* Manifests).byId(manifestId)
    if (manifest.pins.guard === undefined) return false
    const { session } = yield* inspectWallet(manifest, address)
    return session?.live !== null
  },
  Effect.timeout(LOOK_MS),
  Effect.orElseSucceed(() => true)
)

export const unlinkWallet = Effect.fn("UnlinkWallet.unlink")(function* (id: Bytes32) {
  const { accountId } = yield* Principal
  const stored = yield* (yield* BindingStore).unlink(accountId, id)
  const unlinked: UnlinkedBinding = {
    id,
    status: "unlinked",
    onchainAuthorityRevoked: false,
    liveSession: yield* hasLiveSession(stored)
  }
  return unlinked
})

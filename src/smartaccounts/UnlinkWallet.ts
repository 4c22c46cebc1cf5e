/** Ends a binding: nothing more is prepared for its wallet or sent by it, and what was reserved stays so. */
import { Effect } from "effect"
import { Principal } from "../accounts/Principal.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { BindingStore } from "./BindingStore.ts"
import type { UnlinkedBinding } from "./WalletBinding.ts"

export const unlinkWallet = Effect.fn("UnlinkWallet.unlink")(function* (id: Bytes32) {
  const { accountId } = yield* Principal
  yield* (yield* BindingStore).unlink(accountId, id)
  const unlinked: UnlinkedBinding = {
    id,
    status: "unlinked",
    onchainAuthorityRevoked: false,
    liveSession: false
  }
  return unlinked
})

/** A wallet that is bound to an account, once it was seen at a block in the state that its owners signed for. */
import { Effect } from "effect"
import type { Address, Bytes32 } from "../values/Scalars.ts"
import type { StoredBinding } from "./BindingStore.ts"
import { type InspectionPlace, inspectAt, type WalletInspection } from "./Inspect.ts"
import type { SmartManifest } from "./Manifest.ts"
import { Manifests } from "./Manifests.ts"
import { SmartAccountChanged } from "./refusals.ts"
import { changedMembers, stateHash } from "./StateHash.ts"

export interface BoundWallet {
  readonly bindingId: Bytes32
  readonly stateHash: Bytes32
  readonly chainId: number
  readonly address: Address
  readonly manifest: SmartManifest
  readonly inspection: WalletInspection
}

/** One round trip, for the owners whose code is looked at are those that were bound. */
export const boundWalletAt = Effect.fn("BoundWallet.at")(function* (
  place: InspectionPlace,
  { id, stateHash: bound, chainId, address, manifestId, state }: StoredBinding
) {
  const manifest = yield* (yield* Manifests).byId(manifestId)
  const inspection = yield* inspectAt(place, manifest, address, state.owners)
  const found = stateHash(inspection.state)
  if (found !== bound) {
    const [check = "state"] = changedMembers(state, inspection.state)
    return yield* new SmartAccountChanged({ context: { check, stateHash: found } })
  }
  const wallet: BoundWallet = { bindingId: id, stateHash: bound, chainId, address, manifest, inspection }
  return wallet
})

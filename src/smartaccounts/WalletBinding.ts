/** Bindings of wallets to accounts as clients see them. */
import { Schema } from "effect"
import { AccountId, Address, Bytes32, ChainId, UnixMillis, UnixSeconds } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"
import { ManifestId } from "./Manifest.ts"
import { InspectedWallet } from "./SmartAccount.ts"

const checksummed = Schema.typeSchema(Address)

export const WalletBindingId = Bytes32.annotations({
  identifier: "BindingId",
  description: "the id of a binding: the same for as long as the account and the wallet are"
})

const Authorization = strict({
  digest: Bytes32,
  nonce: Bytes32,
  expiresAt: UnixSeconds,
  method: Schema.Literal("safe-current-owner-threshold")
})

const common = {
  id: WalletBindingId,
  wallet: strict({ chainId: ChainId, address: checksummed }),
  manifestId: ManifestId,
  ownerAccountId: AccountId,
  ownerAddress: checksummed,
  authorization: Authorization,
  stateHash: Bytes32.annotations({ description: "of the state that the wallet's owners signed for" }),
  status: Schema.Literal("linked", "changed").annotations({
    description: "changed: the wallet is not in the bound state now; it has to be bound anew"
  }),
  createdAt: UnixMillis,
  revision: Schema.NonNegativeInt
}

export const WalletBinding = strict({
  ...common,
  state: Schema.optionalWith(InspectedWallet, { exact: true }).annotations({
    description: "as the wallet was inspected for this answer; left out where it fails a check"
  }),
  changes: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }).annotations({
    description: "the members of the state that are not as they were bound"
  }),
  failedCheck: Schema.optionalWith(Schema.String, { exact: true }).annotations({
    description: "the check that the wallet fails, by which it can be neither bound nor used"
  })
}).annotations({
  identifier: "Binding",
  description: "A wallet of several owners that is linked to an account; it grants no right to spend."
})
export type WalletBinding = typeof WalletBinding.Type

export const ListedBinding = strict({
  ...common,
  observation: Schema.Literal("stored-binding-snapshot")
}).annotations({
  identifier: "ListedBinding",
  description: "A binding as it is stored: nothing was looked at for it."
})
export type ListedBinding = typeof ListedBinding.Type

export const UnlinkedBinding = strict({
  id: WalletBindingId,
  status: Schema.Literal("unlinked"),
  onchainAuthorityRevoked: Schema.Literal(false),
  liveSession: Schema.Boolean.annotations({
    description:
      "whether a session of the wallet's goes on by itself until it ends or its owners revoke it; true also where the chain does not tell"
  })
}).annotations({
  identifier: "UnlinkedBinding",
  description:
    "Nothing more is prepared for the wallet or sent by it here; what its owners can do onchain is not changed."
})
export type UnlinkedBinding = typeof UnlinkedBinding.Type

/** Binds a wallet to the caller's account: its owners signed, as many as its threshold now, for the state that it is in now. */
import { Effect, Either, Option } from "effect"
import { Principal } from "../accounts/Principal.ts"
import { Settings } from "../settings/Settings.ts"
import { challengeDigest } from "../values/BindingChallenge.ts"
import { checksummed } from "../values/Checksum.ts"
import { failpoint } from "../values/Failpoint.ts"
import type { Bytes32, Hex } from "../values/Scalars.ts"
import { bindingId } from "./BindingId.ts"
import { BindingStore, type NewBinding, type UsedNonce } from "./BindingStore.ts"
import { Manifests } from "./Manifests.ts"
import { ownerSignatures } from "./OwnerSignatures.ts"
import { type AskedChallenge, checkExpiry, currentChallenge } from "./PrepareChallenge.ts"
import { storedBinding } from "./ReadBindings.ts"
import {
  BindingNonceReused,
  BindingRevoked,
  InvalidOwnerSignatures,
  OwnerSignaturesMismatch,
  SmartAccountChanged
} from "./refusals.ts"
import type { PreparedChallenge } from "./SmartAccount.ts"

export interface AskedBinding extends AskedChallenge {
  readonly stateHash: Bytes32
  /** In hexadecimal of either case. */
  readonly signature: string
}

/** What was signed before binds as it did, whatever the wallet is like by now. */
const repeated = Effect.fnUntraced(function* ({ digest, ended, binding }: UsedNonce, asked: Bytes32) {
  if (digest !== asked) return yield* new BindingNonceReused()
  if (ended) return yield* new BindingRevoked()
  return { binding: storedBinding(binding), replayed: true }
})

const packed = (signature: string): Hex => `0x${signature.slice(2).toLowerCase()}`

const checkSigners = ({ digest, state }: PreparedChallenge, signature: string) =>
  Either.match(ownerSignatures(digest, packed(signature), state), {
    onLeft: ({ fault, position }) => {
      const context = position === undefined ? { fault } : { fault, position }
      return fault === "owner"
        ? Effect.fail(new OwnerSignaturesMismatch({ context }))
        : Effect.fail(new InvalidOwnerSignatures({ context }))
    },
    onRight: () => Effect.void
  })

const proved = Effect.fnUntraced(function* (asked: AskedBinding) {
  const { accountId } = yield* Principal
  const manifest = yield* (yield* Manifests).byId(asked.manifestId)
  yield* checkExpiry(asked.expiresAt)
  const challenge = yield* currentChallenge(manifest, asked)
  const { state, stateHash, digest } = challenge
  if (stateHash !== asked.stateHash)
    return yield* new SmartAccountChanged({ context: { check: "state", stateHash } })
  yield* checkSigners(challenge, asked.signature)
  const { manifestId, address, nonce, expiresAt } = asked
  const place = { chainId: manifest.chainId, address }
  const id = bindingId(accountId, place)
  const binding: NewBinding = { id, ...place, manifestId, stateHash, state, digest, nonce, expiresAt }
  return binding
})

/** By what the caller says that was signed. */
const digestOf = Effect.fnUntraced(function* (asked: AskedBinding) {
  const { accountId, ownerAddress } = yield* Principal
  const { audience } = yield* Settings
  const { chainId } = yield* (yield* Manifests).byId(asked.manifestId)
  const { address, stateHash, nonce, expiresAt } = asked
  const message = { accountId, owner: checksummed(ownerAddress), stateHash, nonce, expiresAt }
  return challengeDigest(audience, { chainId, address }, message)
})

/** Three round trips to the chain, and none for what was signed and bound before. */
export const bindWallet = Effect.fn("BindWallet.bind")(function* (asked: AskedBinding) {
  const { accountId, ownerAddress } = yield* Principal
  const store = yield* BindingStore
  const digest = yield* digestOf(asked)
  const earlier = yield* store.usedNonce(accountId, asked.nonce)
  if (Option.isSome(earlier)) return yield* repeated(earlier.value, digest)
  const binding = yield* proved(asked)
  const bound = yield* store.bind(accountId, binding)
  yield* failpoint("binding.stored")
  if (Option.isSome(bound)) {
    const stored = { ...binding, ...bound.value, accountId, ownerAddress: checksummed(ownerAddress) }
    return { binding: storedBinding(stored), replayed: false }
  }
  const twin = yield* store.usedNonce(accountId, asked.nonce)
  return Option.isSome(twin) ? yield* repeated(twin.value, digest) : yield* new BindingRevoked()
})

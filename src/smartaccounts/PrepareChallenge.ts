/** What a wallet's owners are asked to sign so that it is bound to the caller's account, as the wallet is at one head. */
import { Effect } from "effect"
import { Principal } from "../accounts/Principal.ts"
import { DatabaseClock } from "../database/DatabaseClock.ts"
import { Settings } from "../settings/Settings.ts"
import { challengeDigest, challengeTypedData } from "../values/BindingChallenge.ts"
import { checksummed } from "../values/Checksum.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"
import { inspectWallet, shownWallet } from "./Inspect.ts"
import type { SmartManifest } from "./Manifest.ts"
import { Manifests } from "./Manifests.ts"
import { BindingExpired, ChallengeExpiryInvalid, SmartOwnerNotMember } from "./refusals.ts"
import type { PreparedChallenge } from "./SmartAccount.ts"
import { stateHash } from "./StateHash.ts"

export interface AskedChallenge {
  readonly manifestId: string
  readonly address: Address
  readonly nonce: Bytes32
  /** Unix time in seconds. */
  readonly expiresAt: number
}

const LONGEST_SECONDS = 900

const invalidExpiry = new ChallengeExpiryInvalid({
  context: { path: "expiresAt", expected: `Unix seconds at most ${LONGEST_SECONDS} ahead` }
})

/** By this process's notion of the database's clock; what is stored is judged by the clock itself. */
export const checkExpiry = Effect.fnUntraced(function* (expiresAt: number) {
  const now = yield* (yield* DatabaseClock).estimate
  if (expiresAt * 1000 <= now) return yield* new BindingExpired()
  if (expiresAt * 1000 > now + LONGEST_SECONDS * 1000) return yield* invalidExpiry
})

/** Three round trips. */
export const currentChallenge = Effect.fnUntraced(function* (
  manifest: SmartManifest,
  { address, nonce, expiresAt }: AskedChallenge
) {
  const { accountId, ownerAddress } = yield* Principal
  const { audience } = yield* Settings
  const inspection = yield* inspectWallet(manifest, address)
  const { state } = inspection
  const owner = checksummed(ownerAddress)
  if (!state.owners.includes(owner)) return yield* new SmartOwnerNotMember()
  const hash = stateHash(state)
  const message = { accountId, owner, stateHash: hash, nonce, expiresAt }
  const challenge: PreparedChallenge = {
    state: shownWallet(inspection),
    stateHash: hash,
    typedData: challengeTypedData(audience, state, message),
    digest: challengeDigest(audience, state, message)
  }
  return challenge
})

export const prepareChallenge = Effect.fn("PrepareChallenge.prepareChallenge")(function* (
  asked: AskedChallenge
) {
  const manifest = yield* (yield* Manifests).byId(asked.manifestId)
  yield* Effect.catchTag(checkExpiry(asked.expiresAt), "BINDING_EXPIRED", () => invalidExpiry)
  return yield* currentChallenge(manifest, asked)
})

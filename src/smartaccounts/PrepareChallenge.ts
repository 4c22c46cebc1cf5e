/** What a wallet's owners are asked to sign so that it is bound to the caller's account, as the wallet is at one head. */
import { Effect } from "effect"
import { Principal } from "../accounts/Principal.ts"
import { DatabaseClock } from "../database/DatabaseClock.ts"
import { Settings } from "../settings/Settings.ts"
import { challengeDigest, challengeTypedData } from "../values/BindingChallenge.ts"
import { type Address, type Bytes32, checksummed } from "../values/Scalars.ts"
import { inspectWallet } from "./Inspect.ts"
import { Manifests } from "./Manifests.ts"
import { ChallengeExpiryInvalid, SmartOwnerNotMember } from "./refusals.ts"
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

const checkExpiry = Effect.fnUntraced(function* (expiresAt: number) {
  const now = yield* (yield* DatabaseClock).estimate
  if (expiresAt * 1000 > now && expiresAt * 1000 <= now + LONGEST_SECONDS * 1000) return
  return yield* new ChallengeExpiryInvalid({
    context: { path: "expiresAt", expected: `Unix seconds at most ${LONGEST_SECONDS} ahead` }
  })
})

export const prepareChallenge = Effect.fn("PrepareChallenge.prepareChallenge")(function* ({
  manifestId,
  address,
  nonce,
  expiresAt
}: AskedChallenge) {
  const { accountId, ownerAddress } = yield* Principal
  const { audience } = yield* Settings
  const manifest = yield* (yield* Manifests).byId(manifestId)
  yield* checkExpiry(expiresAt)
  const { state, ...found } = yield* inspectWallet(manifest, address)
  const owner = checksummed(ownerAddress)
  if (!state.owners.includes(owner)) return yield* new SmartOwnerNotMember()
  const hash = stateHash(state)
  const message = { accountId, owner, stateHash: hash, nonce, expiresAt }
  const challenge: PreparedChallenge = {
    state: { ...state, ...found, moduleConfigurationVerified: true },
    stateHash: hash,
    typedData: challengeTypedData(audience, state, message),
    digest: challengeDigest(audience, state, message)
  }
  return challenge
})

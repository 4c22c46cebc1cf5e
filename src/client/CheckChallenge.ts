/** Whether what owners are to sign binds the wallet that was asked about, in the state that is shown, to the client's own account. */
import type { PreparedChallenge } from "../smartaccounts/SmartAccount.ts"
import { stateHash } from "../smartaccounts/StateHash.ts"
import { challengeDigest, challengeTypedData } from "../values/BindingChallenge.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"
import { AlteredPlan } from "./Errors.ts"
import { partsOfAccount } from "./SignRequest.ts"

export interface ChallengeQuestion {
  readonly manifestId: string
  readonly address: Address
  readonly nonce: Bytes32
  /** Unix time in seconds. */
  readonly expiresAt: number
}

export interface ChallengeToCheck {
  readonly client: { readonly account: string; readonly audience: () => Promise<string> }
  readonly asked: ChallengeQuestion
  readonly challenge: PreparedChallenge
}

/** Rejects with `AlteredPlan` where anything differs from what is computed here. */
export const checkChallenge = async ({ client, asked, challenge }: ChallengeToCheck): Promise<void> => {
  const { state, typedData, digest } = challenge
  const { owner } = partsOfAccount(client.account)
  const audience = await client.audience()
  const own = {
    accountId: client.account,
    owner: typedData.message.owner,
    stateHash: stateHash(state),
    nonce: asked.nonce,
    expiresAt: asked.expiresAt
  }
  const checks = {
    wallet: state.address.toLowerCase() === asked.address.toLowerCase(),
    manifest: state.manifestId === asked.manifestId,
    "state hash": challenge.stateHash === own.stateHash,
    owner: own.owner.toLowerCase() === owner && state.owners.includes(own.owner) && state.threshold >= 1,
    "typed data": canonicalJson(typedData) === canonicalJson(challengeTypedData(audience, state, own)),
    digest: digest === challengeDigest(audience, state, own)
  }
  const [wrong] = Object.entries(checks).find(([, isRight]) => !isRight) ?? []
  if (wrong !== undefined)
    throw new AlteredPlan(asked.address, `its ${wrong} differs`, "challenge of the wallet")
}

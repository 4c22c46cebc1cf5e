/** Keeps the passkey by which a contract owns a bound wallet, once the contract itself has told its key at the head. */
import { Effect } from "effect"
import { Principal } from "../accounts/Principal.ts"
import type { CallOutcome } from "../chain/ChainClient.ts"
import { batched } from "../chain/GatheredSession.ts"
import { call } from "../chain/PinnedReads.ts"
import { invocation, nodeRefused } from "../protocol/Answers.ts"
import { evidenceOf } from "../protocol/BlockEvidence.ts"
import { BindingStore } from "../smartaccounts/BindingStore.ts"
import { boundWalletAt } from "../smartaccounts/BoundWallet.ts"
import { Manifests } from "../smartaccounts/Manifests.ts"
import { manifestHead } from "../smartaccounts/WalletChecks.ts"
import { CredentialStore } from "./CredentialStore.ts"
import type { Credential, NewCredential } from "./PaymentReview.ts"
import { passkeyOwner, pilotSettings } from "./Pilot.ts"
import { PaymentUnsuitable } from "./refusals.ts"
import { verifierQuestion, verifies } from "./Verifier.ts"

const unsuitable = (reason: string) => new PaymentUnsuitable({ context: { reason } })

const tells = (outcome: CallOutcome, word: string): boolean =>
  outcome._tag === "Returned" && outcome.data === word

const lookedUp = Effect.fnUntraced(function* ({ bindingId }: NewCredential) {
  const { manifestIds } = yield* pilotSettings
  const { accountId, ownerAddress } = yield* Principal
  const binding = yield* (yield* BindingStore).find(accountId, bindingId)
  if (!manifestIds.includes(binding.manifestId)) return yield* unsuitable("manifest")
  const manifest = yield* (yield* Manifests).byId(binding.manifestId)
  const owner = passkeyOwner(binding.state, manifest, ownerAddress)
  return owner === undefined ? yield* unsuitable("owners") : { binding, manifest, owner }
})

/** Before anything is signed by it; two round trips. */
export const registerCredential = Effect.fn("RegisterCredential.register")(function* (asked: NewCredential) {
  const { rpId } = yield* pilotSettings
  const { accountId } = yield* Principal
  const { binding, manifest, owner } = yield* lookedUp(asked)
  const head = yield* manifestHead(manifest)
  const session = batched(head.session)
  const keyOf = (coordinate: string) => call(invocation(owner, `${coordinate}()`), head.block.hash)
  const [wallet, [x, y, checked]] = yield* Effect.all(
    [
      boundWalletAt({ session, evidence: evidenceOf(head.block) }, binding),
      session.all([keyOf("X"), keyOf("Y"), call(verifierQuestion, head.block.hash)])
    ],
    { concurrency: "unbounded" }
  )
  for (const told of [x, y, checked]) if (told._tag === "Refused") return yield* nodeRefused(told.code)
  if (!verifies(checked)) return yield* unsuitable("verifier")
  const { publicKey, credentialId } = asked
  if (!tells(x, publicKey.x) || !tells(y, publicKey.y)) return yield* unsuitable("key")
  const { chainId, address, bindingId, stateHash } = wallet
  const createdAt = yield* (yield* CredentialStore).register(
    { accountId, bindingId, stateHash },
    { owner, credentialId, ...publicKey }
  )
  const kept: Credential = {
    ...{ bindingId, owner, credentialId, publicKey, rpId, createdAt },
    wallet: { chainId, address }
  }
  return kept
})

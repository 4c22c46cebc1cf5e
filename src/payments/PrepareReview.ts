/** Opens the review of an app's own operation: the one payment of a pilot's wallet, which its owner may sign by a passkey. Nothing is asked of a chain. */
import { Effect, Either, Option } from "effect"
import { Principal } from "../accounts/Principal.ts"
import { requestKey } from "../auth/Idempotency.ts"
import { PinnedContracts } from "../protocol/PinnedContracts.ts"
import { BindingStore } from "../smartaccounts/BindingStore.ts"
import { Manifests } from "../smartaccounts/Manifests.ts"
import type { OwnOperation } from "../useroperations/OwnOperations.ts"
import { UserOperationStore } from "../useroperations/UserOperationStore.ts"
import { RandomIds } from "../values/RandomIds.ts"
import { CredentialStore } from "./CredentialStore.ts"
import { type AppCaller, callingApp, passkeyOwner } from "./Pilot.ts"
import { readPayment } from "./ReadPayment.ts"
import { storedReview } from "./ReadReview.ts"
import { type NewReview, ReviewStore } from "./ReviewStore.ts"
import { PaymentUnsuitable } from "./refusals.ts"

export interface AskedPaymentReview {
  readonly operationId: string
  readonly state: string
}

const unsuitable = (reason: string) => new PaymentUnsuitable({ context: { reason } })

/** By what was bound: submission inspects the wallet anew. */
const pilotWallet = Effect.fnUntraced(function* ({ settings }: AppCaller, { stored }: OwnOperation) {
  const { ownerAddress } = yield* Principal
  const { accountId, bindingId, manifestId, signing, isBound } = stored
  if (!settings.manifestIds.includes(manifestId)) return yield* unsuitable("manifest")
  if (!isBound) return yield* unsuitable("binding")
  if ("session" in signing) return yield* unsuitable("session")
  const manifest = yield* (yield* Manifests).byId(manifestId)
  const owner = passkeyOwner(signing, manifest, ownerAddress)
  if (owner === undefined) return yield* unsuitable("owners")
  const passkey = yield* (yield* CredentialStore).find(bindingId)
  if (!Option.exists(passkey, known => known.owner === owner)) return yield* unsuitable("credential")
  const binding = yield* (yield* BindingStore).find(accountId, bindingId)
  return { manifest, address: binding.address }
})

const MULTI_TERMINAL = "JBMultiTerminal"

const paymentOf = Effect.fnUntraced(function* (caller: AppCaller, own: OwnOperation) {
  const { manifest, address } = yield* pilotWallet(caller, own)
  const { stored, plan } = own
  const { names } = yield* PinnedContracts
  const terminals = names.deploymentsOf(stored.chainId, MULTI_TERMINAL).filter(({ retired }) => !retired)
  const payment = readPayment({
    chainId: stored.chainId,
    wallet: address,
    calls: stored.stepIndexes.flatMap(index => plan.terms.calls[index] ?? []),
    stepIndexes: stored.stepIndexes,
    assets: manifest.reviewed.assets,
    terminals: terminals.map(each => each.address)
  })
  return yield* Either.match(payment, {
    onLeft: reason => Effect.fail(unsuitable(reason)),
    onRight: Effect.succeed
  })
})

const refuseSent = ({ stored: { send, expiresAt, now } }: OwnOperation) => {
  if (send !== undefined) return Effect.fail(unsuitable("sent"))
  return expiresAt <= now ? Effect.fail(unsuitable("expired")) : Effect.void
}

export const prepareReview = Effect.fn("PrepareReview.prepare")(function* ({
  operationId,
  state
}: AskedPaymentReview) {
  const caller = yield* callingApp
  const key = yield* requestKey
  const own = yield* (yield* UserOperationStore).findOwn(operationId, key)
  const known = Option.getOrUndefined(own.outcome)?.subject
  if (known !== undefined) return { review: yield* storedReview(caller, known), replayed: true }
  yield* refuseSent(own)
  const payment = yield* paymentOf(caller, own)
  const { origin, callbackUri } = caller.app
  const asked: NewReview = {
    id: yield* (yield* RandomIds).uuid,
    operationId,
    state,
    terms: { issuer: caller.settings.issuer, origin, callbackUri, payment }
  }
  const id = yield* (yield* ReviewStore).store(caller, key, asked)
  yield* Effect.annotateCurrentSpan({ operation: operationId, review: id })
  return { review: yield* storedReview(caller, id), replayed: id !== asked.id }
})

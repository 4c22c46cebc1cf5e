/** Publishes a signed intent: whoever sends it, only its publisher's key can have signed it. */
import { Effect } from "effect"
import { AccountLock } from "../accounts/AccountLock.ts"
import { Principal } from "../accounts/Principal.ts"
import { SignedRequest } from "../auth/SignedRequest.ts"
import { RandomIds } from "../values/RandomIds.ts"
import type { Address } from "../values/Scalars.ts"
import { prepareEnvelope } from "./Envelope.ts"
import type { IntentDraft } from "./Intent.ts"
import { IntentStore, type Publication } from "./IntentStore.ts"
import { publisherOf } from "./PublisherSignature.ts"
import { InvalidIntent } from "./refusals.ts"

export interface SignedIntent {
  readonly envelope: IntentDraft
  readonly publisher: Address
  readonly signature: string
}

const unsigned = new InvalidIntent({
  context: { path: "signature", expected: "the publisher's signature of the message of this very envelope" }
})

export const publishIntent = Effect.fn("PublishIntent.publish")(function* (intent: SignedIntent) {
  const actor = yield* Principal
  const { address } = yield* SignedRequest
  const locks = yield* AccountLock
  const store = yield* IntentStore
  const prepared = yield* prepareEnvelope(intent.envelope)
  if (publisherOf(prepared.contentHash, intent.signature) !== intent.publisher) return yield* unsigned
  const publication: Publication = {
    ...prepared,
    id: yield* (yield* RandomIds).uuid,
    publisher: intent.publisher.toLowerCase(),
    signature: intent.signature.toLowerCase(),
    grantId: actor.kind === "bot" ? actor.grantId : undefined,
    address
  }
  const { id, replayed } = yield* locks.with(actor.accountId)(store.publish(publication))
  /** It was stored a moment ago, and for good. */
  const stored = Effect.catchTag(store.find(id), "INTENT_NOT_FOUND", Effect.die)
  return { intent: yield* stored, replayed }
})

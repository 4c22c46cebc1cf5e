/** Signed intents: projects that a publisher describes before anybody deploys them, and where they were deployed. */
import type { PublishBody } from "../http/api/Intents.ts"
import type { IntentItem, ToldDeployment } from "../intents/Intent.ts"
import type { Caller } from "./Caller.ts"
import { endpoints } from "./Endpoints.ts"
import { everyItem } from "./EveryItem.ts"
import { normalisedSignature } from "./Signer.ts"

export interface IntentsQuery {
  /** Words in names, taglines, descriptions and tags, 200 characters at most. */
  readonly q?: string
  readonly owner?: string
  readonly publisher?: string
  /** 1 to 100; 20 when absent. */
  readonly limit?: number
  readonly cursor?: string
}

export const intentMethods = (caller: Caller) => {
  const search = (query: IntentsQuery = {}) => caller.call(endpoints.searchIntents, { query: { ...query } })
  return {
    intents: {
      /** Publishes for good; `signature` is the publisher's of the message that `prepare_intent` gives. The same content gives the stored record again. */
      publish: (intent: typeof PublishBody.Encoded) =>
        caller.call(endpoints.publishIntent, {
          body: { ...intent, signature: normalisedSignature(intent.signature) }
        }),
      /** Records the transaction that deployed an intent on a chain, once the chain proves it; a repeat gives the same record. */
      recordDeployment: (id: string, told: typeof ToldDeployment.Encoded) =>
        caller.call(endpoints.recordIntentDeployment, { path: { id }, body: told }),
      /** One page, newest first; names and texts are untrusted. */
      search,
      /** Every matching intent, newest first, page after page. */
      iterate: (query: Omit<IntentsQuery, "cursor"> = {}): AsyncGenerator<IntentItem> =>
        everyItem(after => search({ ...query, ...after }))
    }
  }
}

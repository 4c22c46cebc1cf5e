/** Intents of the protocol's version that the service knows. */
import { Effect } from "effect"
import { CURRENT_VERSION } from "./Intent.ts"
import { IntentStore } from "./IntentStore.ts"
import { UnsupportedIntentVersion } from "./refusals.ts"

export const currentIntent = Effect.fn("CurrentIntent.find")(function* (id: string) {
  const intent = yield* (yield* IntentStore).find(id)
  const { deploymentVersion } = intent.envelope
  return deploymentVersion === CURRENT_VERSION
    ? intent
    : yield* new UnsupportedIntentVersion({ context: { deploymentVersion } })
})

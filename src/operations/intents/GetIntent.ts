import { Effect } from "effect"
import { IntentStore } from "../../intents/IntentStore.ts"
import { UnsupportedIntentVersion } from "../../intents/refusals.ts"
import { defineOperation } from "../framework/Operation.ts"
import { getIntent } from "./Declarations.ts"

const VERSION = "6"

export const runGetIntent = defineOperation(
  getIntent,
  Effect.fn("Operations.getIntent")(function* ({ id }) {
    const intent = yield* (yield* IntentStore).find(id)
    const { deploymentVersion } = intent.envelope
    return deploymentVersion === VERSION
      ? intent
      : yield* new UnsupportedIntentVersion({ context: { deploymentVersion } })
  })
)

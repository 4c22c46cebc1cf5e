import { Effect } from "effect"
import type { Intent } from "../../intents/Intent.ts"
import { IntentStore } from "../../intents/IntentStore.ts"
import { publishIntent } from "../../intents/PublishIntent.ts"
import { recordDeployment } from "../../intents/RecordDeployment.ts"
import { IntentsGroup } from "../api/Intents.ts"
import { handling, reply } from "../Handlers.ts"
import { replayHeader } from "./PreparedPlan.ts"

const placeOf = (id: string): string =>
  `/api/v1/operations/get_intent?input=${encodeURIComponent(JSON.stringify({ id }))}`

const created = ({ intent, replayed }: { readonly intent: Intent; readonly replayed: boolean }) =>
  reply(intent, { location: placeOf(intent.id), ...replayHeader(replayed) })

export const intentsHandlers = handling(IntentsGroup, {
  publishIntent: ({ body }) => Effect.map(publishIntent(body), created),
  recordIntentDeployment: ({ path, body }) => Effect.map(recordDeployment(path.id, body), created),
  searchIntents: ({ query: { q = "", cursor = 0, ...rest } }) =>
    Effect.flatMap(IntentStore, store =>
      Effect.map(store.search({ ...rest, text: q, offset: cursor }), reply)
    )
})
